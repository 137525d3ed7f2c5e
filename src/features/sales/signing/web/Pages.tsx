import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useWords } from '#kit/web/words/words.tsx'

export interface PagesProps {
  pages: readonly { width: number; height: number; text: string }[]
  /** The picture of a page (from 1); not wanted any more when the signal says so. */
  picture: (page: number, signal: AbortSignal) => Promise<Blob>
  /** What lies over a page. */
  over: (page: number) => ReactNode
}

/**
 * How long a page must stay near the viewport before its picture is requested: scrolling through sixty pages waits
 * for none that was passed.
 */
const restMs = 400
/** A picture that did not come is asked for again. */
const againMs = 3000
const mostTries = 4

/**
 * The pages of a document below each other. A picture is fetched when its page comes near and released when it is
 * far: sixty pages cost what a few do. The content of a page is there as text for people who cannot see it.
 */
export function Pages({ pages, picture, over }: PagesProps) {
  return (
    <div className="sg-pages">
      {pages.map((page, at) => (
        <Page key={at} page={page} number={at + 1} of={pages.length} picture={picture}>
          {over(at + 1)}
        </Page>
      ))}
    </div>
  )
}

function Page({
  page,
  number,
  of,
  picture,
  children,
}: {
  page: PagesProps['pages'][number]
  number: number
  of: number
  picture: PagesProps['picture']
  children: ReactNode
}) {
  const t = useWords()
  const place = useRef<HTMLElement>(null)
  const [isNear, setNear] = useState(false)
  // What is near when the paper opens is wanted at once.
  const rest = useRef(0)
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const element = place.current
    if (!element) return
    let isFirst = true
    const watch = new IntersectionObserver(
      ([seen]) => {
        rest.current = isFirst ? 0 : restMs
        isFirst = false
        setNear(seen!.isIntersecting)
      },
      { rootMargin: '1200px 0px' },
    )
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  useEffect(() => {
    if (!isNear) return
    let made: string | undefined
    let tries = 0
    const going = new AbortController()
    const ask = () =>
      void picture(number, going.signal)
        .then((blob) => {
          if (going.signal.aborted) return
          made = URL.createObjectURL(blob)
          setUrl(made)
        })
        .catch(() => {
          if (!going.signal.aborted && ++tries < mostTries) timer = setTimeout(ask, againMs)
        })
    let timer = setTimeout(ask, rest.current)
    return () => {
      clearTimeout(timer)
      going.abort()
      setUrl(undefined)
      if (made) URL.revokeObjectURL(made)
    }
  }, [isNear, number, picture])
  const label = t('signing.pageOf', { page: number, pages: of })
  return (
    <section
      ref={place}
      className="sg-page"
      data-page={number}
      aria-label={label}
      style={{ aspectRatio: `${page.width} / ${page.height}` }}
    >
      {url && <img src={url} alt="" draggable={false} />}
      <p className="vh sg-read">{page.text}</p>
      {children}
    </section>
  )
}

/** Where a field lies on its page, in parts of the page. */
export const placeOf = (
  page: { width: number; height: number },
  field: { x: number; y: number; w: number; h: number },
) => ({
  left: `${(field.x / page.width) * 100}%`,
  top: `${(field.y / page.height) * 100}%`,
  width: `${(field.w / page.width) * 100}%`,
  height: `${(field.h / page.height) * 100}%`,
})
