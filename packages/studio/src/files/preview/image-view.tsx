/** Shows an image from its bytes. In an <img> even an SVG is only drawn: it can run no script and fetch nothing. */
import { useEffect, useState } from "preact/hooks";
import { basename } from "../../api/path.ts";
import type { FileDocument } from "../../state/file-document.ts";
import { formatSize } from "../../ui/format.ts";
import { Message } from "../../ui/message.tsx";
import "./preview.css";

export function ImageView({ file }: { file: FileDocument }) {
  const [url, setUrl] = useState<string>();
  const [size, setSize] = useState<{ width: number; height: number }>();
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    const bytes = file.kind === "text" ? file.draft : file.bytes;
    const created = URL.createObjectURL(new Blob([bytes], { type: file.imageType }));
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [file]);
  if (broken)
    return (
      <Message icon="warn" title="This image cannot be displayed">
        Its content does not match its name. Download it to inspect it.
      </Message>
    );
  return (
    <figure class="image-view">
      {url !== undefined && (
        <img
          src={url}
          alt={basename(file.path)}
          onLoad={(event) =>
            setSize({ width: event.currentTarget.naturalWidth, height: event.currentTarget.naturalHeight })
          }
          onError={() => setBroken(true)}
        />
      )}
      <figcaption>
        {size && `${size.width} × ${size.height} · `}
        {formatSize(file.bytes.length)}
      </figcaption>
    </figure>
  );
}
