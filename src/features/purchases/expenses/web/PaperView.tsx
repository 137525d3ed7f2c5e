import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callBytes, failureText, keyOf } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { Segmented } from '#kit/web/parts/Views.tsx'
import { useFile } from '#kit/web/calls/useFile.ts'
import { useObjectUrl } from '#kit/web/calls/useObjectUrl.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { getFile } from '#features/base/files/endpoints.ts'
import './expenses.css'

interface Kept {
  id: string
  name: string
  mime: string
}

/** The paper beside what is read from it: a photograph, or the browser's own viewer of a PDF. */
export function PaperView({ files, onRemove }: { files: readonly Kept[]; onRemove?: (id: string) => void }) {
  const t = useWords()
  const fetchFile = useFile()
  const [chosen, setChosen] = useState<string>()
  const shown = files.find((file) => file.id === chosen) ?? files[0]
  if (!shown) return null
  return (
    <div className="ex-paper">
      <div className="ex-papertools">
        {files.length > 1 ? (
          <Segmented
            label={t('expenses.paper.pages')}
            value={shown.id}
            onChange={setChosen}
            options={files.map((file, i) => ({ key: file.id, label: String(i + 1) }))}
          />
        ) : (
          <span className="hint text-12 cut" dir="auto">
            {shown.name}
          </span>
        )}
        <span className="grow" />
        <Button
          kind="quiet"
          size="s"
          onPress={() =>
            void fetchFile(getFile, { id: shown.id, inline: 'true' }, { name: shown.name, open: true })
          }
        >
          {t('expenses.paper.open')}
        </Button>
        {onRemove && (
          <Button kind="quiet" size="s" onPress={() => onRemove(shown.id)}>
            {t('expenses.paper.remove')}
          </Button>
        )}
      </div>
      <Picture key={shown.id} file={shown} />
    </div>
  )
}

function Picture({ file }: { file: Kept }) {
  const t = useWords()
  const isPicture = file.mime.startsWith('image/')
  const isPdf = file.mime === 'application/pdf'
  const { data, error } = useQuery({
    queryKey: [...keyOf(getFile, { id: file.id }), 'paper'],
    queryFn: async ({ signal }) =>
      (await callBytes(getFile, { id: file.id, inline: 'true' }, { signal, quiet: true })).blob,
    enabled: isPicture || isPdf,
    staleTime: Infinity,
    // Photographs are large: not kept once nobody looks.
    gcTime: 60_000,
  })
  const url = useObjectUrl(data)
  if (!isPicture && !isPdf) return <p className="hint">{file.name}</p>
  if (error) return <p className="hint">{failureText(t, error)}</p>
  if (!url) return <Skeleton lines={8} />
  if (isPicture) return <img className="ex-picture" src={url} alt={file.name} />
  if (!navigator.pdfViewerEnabled) return <p className="hint">{file.name}</p>
  // The browser's own viewer shows nothing inside a sandbox; the bytes are a PDF, as the server found by
  // looking at them.
  // oxlint-disable-next-line react/iframe-missing-sandbox
  return <iframe className="ex-frame" src={`${url}#toolbar=0&navpanes=0`} title={file.name} />
}
