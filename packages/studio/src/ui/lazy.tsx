/** A component whose code is loaded on first use. A failed load shows an error with a retry. */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Failure, Loading } from "./message.tsx";

export function lazy<Props extends object>(what: string, load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [, setTurn] = useState(0);
    const [error, setError] = useState<unknown>();
    const fetchIt = () => {
      setError(undefined);
      load().then((component) => {
        loaded = component;
        setTurn((turn) => turn + 1);
      }, setError);
    };
    useEffect(() => {
      if (loaded === undefined) fetchIt();
    }, []);
    if (error !== undefined) return <Failure what={what} error={error} retry={fetchIt} />;
    if (loaded === undefined) return <Loading what={what.toLowerCase()} />;
    const Loaded = loaded as ComponentType<object>;
    return <Loaded {...props} />;
  };
}
