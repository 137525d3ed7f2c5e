import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Download, ExternalLink } from 'lucide-react'
import { useEffect } from 'react'
import { callBytes, keyOf, useFailureText } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { fileSize } from '#kit/web/parts/FileDrop.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useFile } from '#kit/web/calls/useFile.ts'
import { useObjectUrl } from '#kit/web/calls/useObjectUrl.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { textOf } from '#kit/web/hooks/textOf.ts'
import { getFile, type StoredFile } from '../endpoints.ts'
import { isPdf, isPicture, isShown, isText } from './kinds.ts'
import './files.css'

/** Saves a file, or says why it cannot. */
export function useDownload(): (file: Pick<StoredFile, 'id' | 'name'>, open?: boolean) => void {
  const fetchFile = useFile()
  return ({ id, name }, open) =>
    void fetchFile(getFile, open ? { id, inline: 'true' } : { id }, { name, ...(open ? { open } : {}) })
}

/** Longest text that is shown; a longer one is saved instead of choking the page. */
const mostText = 200_000

/** A file large: a picture, a PDF, a text. The arrows go to the next one of the same list. */
export function Preview({
  of: file,
  among,
  onShow,
  onClose,
}: {
  of: StoredFile
  among: readonly StoredFile[]
  onShow: (file: StoredFile) => void
  onClose: () => void
}) {
  const t = useWords()
  const { dir } = useLanguage()
  const download = useDownload()
  const at = among.findIndex(({ id }) => id === file.id)
  const before = among[at - 1]
  const after = at < 0 ? undefined : among[at + 1]
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
      const onward = (event.key === 'ArrowRight') === (dir !== 'rtl')
      const to = onward ? after : before
      if (to) onShow(to)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="l"
      title={<bdi className="fi-title">{file.name}</bdi>}
      actions={
        <>
          <span className="fi-steps">
            {among.length > 1 && (
              <>
                <Button
                  kind="quiet"
                  icon={ChevronLeft}
                  m
                  label={t('files.previous')}
                  isDisabled={!before}
                  onPress={() => before && onShow(before)}
                />
                <Button
                  kind="quiet"
                  icon={ChevronRight}
                  m
                  label={t('files.next')}
                  isDisabled={!after}
                  onPress={() => after && onShow(after)}
                />
              </>
            )}
            <span className="hint text-12">
              <Num>{fileSize(file.size)}</Num>
            </span>
          </span>
          {(isPicture(file.mime) || isPdf(file.mime)) && (
            <Button icon={ExternalLink} onPress={() => download(file, true)}>
              {t('files.newTab')}
            </Button>
          )}
          <Button kind="primary" icon={Download} onPress={() => download(file)}>
            {t('files.download')}
          </Button>
        </>
      }
    >
      <Shown key={file.id} file={file} />
    </Dialog>
  )
}

function Shown({ file }: { file: StoredFile }) {
  const t = useWords()
  const say = useFailureText()
  const shown = isShown(file.mime)
  const { data, error } = useQuery({
    queryKey: keyOf(getFile, { id: file.id, inline: 'true' }),
    queryFn: async ({ signal }) => {
      const { blob } = await callBytes(getFile, { id: file.id, inline: 'true' }, { signal })
      return { blob, text: isText(file.mime) ? await textOf(blob.slice(0, mostText)) : undefined }
    },
    enabled: shown,
    staleTime: Infinity,
    // Up to 20 MB each: not kept once nobody looks.
    gcTime: 60_000,
  })
  const url = useObjectUrl(data?.blob)
  if (!shown) return <p className="fi-none">{t('files.noPreview')}</p>
  if (error) return <p className="fi-none">{say(error)}</p>
  if (data?.text !== undefined)
    return (
      // A region that scrolls must be reachable by the keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      <pre className="fi-text" dir="auto" tabIndex={0} aria-label={file.name}>
        {data.text}
      </pre>
    )
  if (!url) return <Skeleton lines={8} />
  if (isPicture(file.mime)) return <img className="fi-picture" src={url} alt={file.name} />
  // Phones have no viewer for a PDF inside a page.
  if (!navigator.pdfViewerEnabled) return <p className="fi-none">{t('files.noViewer')}</p>
  // The browser's own viewer shows nothing inside a sandbox; the bytes are a PDF, as the server found by
  // looking at them.
  // oxlint-disable-next-line react/iframe-missing-sandbox
  return <iframe className="fi-frame" src={url} title={file.name} />
}
