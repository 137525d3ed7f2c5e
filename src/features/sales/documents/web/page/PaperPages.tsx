import { useMemo } from 'react'
import { useLast } from '#kit/web/hooks/useLast.ts'
import { useObjectUrls } from '#kit/web/calls/useObjectUrl.ts'
import { useWords } from '#kit/web/words/words.tsx'
import '../documents.css'

const none: readonly string[] = []

/**
 * SVG pages as addresses an img can show: never inline, so that nothing inside a picture can touch the page.
 */
export function usePageUrls(pages: readonly string[] | undefined): readonly string[] {
  const blobs = useMemo(() => pages?.map((page) => new Blob([page], { type: 'image/svg+xml' })), [pages])
  // The old picture stays until the new one has been drawn.
  return useLast(useObjectUrls(blobs, 4000)) ?? none
}

/** The paper as it is or will be, page under page. The old picture stays while a new one comes. */
export function PaperPages({
  pages,
  label,
  failed,
}: {
  pages: readonly string[] | undefined
  label: string
  failed?: boolean
}) {
  const t = useWords()
  const urls = usePageUrls(pages)
  if (urls.length === 0)
    return (
      <div className="doc-page doc-page-wait" role="status">
        <span className="vh">{t(failed ? 'documents.paper.failed' : 'kit.loading')}</span>
        {failed && <span aria-hidden>{t('documents.paper.failed')}</span>}
      </div>
    )
  return (
    <>
      {urls.map((url, i) => (
        <img
          key={i}
          className="doc-page"
          src={url}
          width={595}
          height={842}
          alt={
            urls.length > 1
              ? t('documents.paper.pageOf', { name: label, page: i + 1, pages: urls.length })
              : label
          }
        />
      ))}
    </>
  )
}
