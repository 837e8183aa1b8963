/**
 * Counts what an operation costs a Durable Object: statements, rows read, rows written. It shadows `exec` on the storage's own
 * `sql`, which every contender ends up calling, and reads the cursors after the operation: their numbers are final only then.
 */
export interface Cost {
  statements: number;
  rowsRead: number;
  rowsWritten: number;
}

export interface CounterOptions {
  /** Refuse text with several statements, which SQLite would count as one. */
  singleStatements: boolean;
}

export async function countCost(
  sql: SqlStorage,
  options: CounterOptions,
  operation: () => Promise<unknown>,
): Promise<Cost> {
  const cursors: { rowsRead: number; rowsWritten: number }[] = [];
  const exec = sql.exec;
  Object.defineProperty(sql, "exec", {
    configurable: true,
    writable: true,
    value: (query: string, ...bindings: unknown[]) => {
      if (options.singleStatements && hasSeveralStatements(query)) {
        throw new Error(`several statements in one sql.exec: ${query.slice(0, 200)}`);
      }
      const cursor = exec.call(sql, query, ...bindings);
      cursors.push(cursor);
      return cursor;
    },
  });
  try {
    await operation();
  } finally {
    Reflect.deleteProperty(sql, "exec");
  }
  return {
    statements: cursors.length,
    rowsRead: cursors.reduce((sum, cursor) => sum + cursor.rowsRead, 0),
    rowsWritten: cursors.reduce((sum, cursor) => sum + cursor.rowsWritten, 0),
  };
}

// Without comments and without what is quoted, a semicolon with anything after it starts a second statement.
const COMMENT_OR_QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\//g;

function hasSeveralStatements(query: string): boolean {
  if (/^\s*create\s+(temp\w*\s+)?trigger\b/i.test(query)) return false;
  const bare = query.replace(COMMENT_OR_QUOTED, (text) => (/^(--|\/\*)/.test(text) ? " " : "?"));
  return /;\s*\S/.test(bare);
}
