/** An error response of the server, or no response. `missing` is a route that this server does not have. */

export interface ApiErrorBody {
  code: string;
  message: string;
  hint?: string;
  path?: string;
}

export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    readonly status: number,
    readonly refusal: ApiErrorBody,
    readonly retryAfter?: number,
  ) {
    super(refusal.message);
  }

  get code(): string {
    return this.refusal.code;
  }

  get hint(): string | undefined {
    return this.refusal.hint;
  }

  /** The server is older than the page, or was built without this part. */
  get missing(): boolean {
    return this.code === "NO_ROUTE" || this.status === 501;
  }
}

export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => "");
  const after = Number(response.headers.get("Retry-After") ?? Number.NaN);
  return new ApiError(response.status, refusalIn(text, response), Number.isFinite(after) ? after : undefined);
}

function refusalIn(text: string, response: Response): ApiErrorBody {
  try {
    const { error } = JSON.parse(text) as { error?: Partial<ApiErrorBody> };
    if (typeof error?.code === "string") return { ...error, code: error.code, message: error.message ?? error.code };
  } catch {
    // Not our format: a proxy, or a server that is starting.
  }
  const message = `the server answered ${response.status} ${response.statusText}`.trim();
  return { code: "UNEXPECTED", message, hint: "Try again. If the error persists, check the server's output." };
}

export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ApiError(0, { code: "UNREACHABLE", message, hint: "The server does not answer. Is it still running?" });
}
