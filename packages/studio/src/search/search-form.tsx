/** The search form: pattern, options and scope. */
import { useState } from "preact/hooks";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import type { Query } from "./search-model.ts";

interface SearchFormProps {
  query: Query;
  onQuery: (query: Query) => void;
  onEnter: () => void;
}

export function SearchForm({ query, onQuery, onEnter }: SearchFormProps) {
  const [more, setMore] = useState(query.include !== "" || query.exclude !== "");
  const set = (part: Partial<Query>) => onQuery({ ...query, ...part });
  return (
    <search class="search-form">
      <div class="search-line">
        <Field
          label="Search in the workspace"
          bare
          type="search"
          code
          focus
          placeholder="Search in every file"
          value={query.pattern}
          onInput={(pattern) => set({ pattern })}
          onKeyDown={(event) => event.key === "Enter" && onEnter()}
        />
        <Button
          kind="quiet"
          label="Match case"
          name="Aa, match case"
          pressed={query.matchCase}
          onClick={() => set({ matchCase: !query.matchCase })}
        >
          Aa
        </Button>
        <Button
          kind="quiet"
          label="Whole words"
          name="Word, whole words only"
          pressed={query.word}
          onClick={() => set({ word: !query.word })}
        >
          Word
        </Button>
        <Button
          kind="quiet"
          label="Regular expression"
          name="Regex, regular expression"
          pressed={query.regex}
          onClick={() => set({ regex: !query.regex })}
        >
          Regex
        </Button>
        <Button kind="quiet" icon="more" label="Filter files" expanded={more} onClick={() => setMore(!more)} />
      </div>
      {more && (
        <div class="search-line">
          <Field
            label="Files to include"
            code
            placeholder="*.ts, src/**"
            value={query.include}
            onInput={(include) => set({ include })}
          />
          <Field
            label="Files to exclude"
            code
            placeholder="*.test.ts"
            value={query.exclude}
            onInput={(exclude) => set({ exclude })}
          />
        </div>
      )}
    </search>
  );
}
