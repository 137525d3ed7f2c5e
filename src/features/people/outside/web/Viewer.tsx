import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import './outside.css'

/**
 * A PDF in the browser's own viewer, `url` being where its bytes are; ask `navigator.pdfViewerEnabled` first,
 * phones have none.
 */
export function Viewer({ url, name }: { url: string | undefined; name: string }) {
  // The viewer shows nothing inside a sandbox; what runs in a PDF was refused when it came in.
  // oxlint-disable-next-line react/iframe-missing-sandbox
  return url ? <iframe className="ou-frame" src={`${url}#navpanes=0`} title={name} /> : <Skeleton lines={8} />
}
