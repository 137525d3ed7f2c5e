/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the words lie
   over a picture for the pointer; keyboard users type into the fields */
import { ZoomIn, ZoomOut } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Spot } from '#domain/papers/proposal.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import type { PaperAnswer } from '../endpoints.ts'
import { usePicture } from './picture.ts'

export type Word = PaperAnswer['pages'][number]['words'][number]

export interface SheetProps {
  paper: PaperAnswer
  page: number
  onPage: (page: number) => void
  /** Where the field that is pointed at or typed into has its value. */
  lit: readonly Spot[]
  /** Every value that was found, faintly. */
  found: readonly Spot[]
  /** A word of the paper was pressed. `more` adds it to what is there. */
  onWord: (text: string, spot: Spot, more: boolean) => void
  /** Words can be taken: a field is waiting. */
  takes: boolean
}

/** The paper as a picture, its words to be pressed, the found values marked. */
export function Sheet({ paper, page, onPage, lit, found, onWord, takes }: SheetProps) {
  const t = useWords()
  const [zoom, setZoom] = useState(1)
  const desk = useRef<HTMLDivElement>(null)
  const { url, failed } = usePicture(
    paper.id,
    page,
    `${paper.state}${paper.pageFrom ?? ''}${paper.pages.length}`,
  )
  const shown = paper.pages[page]
  const first = lit.find((spot) => spot.page === page)
  // What is pointed at comes into sight inside the desk; the page itself stays where it is.
  useEffect(() => {
    const box = desk.current
    const sheet = box?.querySelector<HTMLElement>('.cp-sheet')
    if (!box || !sheet || !first) return
    const top = (first.y / 1000) * sheet.offsetHeight
    if (top < box.scrollTop + 24 || top > box.scrollTop + box.clientHeight - 64)
      box.scrollTo({ top: Math.max(0, top - box.clientHeight / 2) })
  }, [first])
  if (!shown) return null
  const place = ({ x, y, w, h }: Pick<Spot, 'x' | 'y' | 'w' | 'h'>) => ({
    left: `${x / 10}%`,
    top: `${y / 10}%`,
    width: `${w / 10}%`,
    height: `${h / 10}%`,
  })
  return (
    <div className="cp-desk">
      <div className="cp-scroll" ref={desk} dir="ltr">
        <div
          className="cp-sheet"
          style={{ inlineSize: `${zoom * 100}%`, aspectRatio: `${shown.width} / ${shown.height}` }}
          data-takes={takes ? '' : undefined}
        >
          {url ? (
            <img src={url} alt={t('papers.pictureOf', { name: paper.name })} draggable={false} />
          ) : failed ? (
            <p className="none">{t('papers.noPicture')}</p>
          ) : (
            <Skeleton lines={8} />
          )}
          {found
            .filter((spot) => spot.page === page)
            .map((spot, index) => (
              <span key={index} className="found" style={place(spot)} />
            ))}
          {shown.words.map(([text, x, y, w, h], index) => (
            <span
              key={index}
              className="word"
              style={place({ x, y, w, h })}
              title={text}
              // The field keeps the focus: it is what the word goes into.
              onMouseDown={(event) => event.preventDefault()}
              onClick={(event) => onWord(text, { page, x, y, w, h }, event.shiftKey)}
            />
          ))}
          {lit
            .filter((spot) => spot.page === page)
            .map((spot, index) => (
              <span key={index} className="lit" style={place(spot)} />
            ))}
        </div>
      </div>
      <div className="cp-tools">
        <Button
          kind="quiet"
          size="s"
          icon={ZoomOut}
          label={t('papers.zoomOut')}
          isDisabled={zoom <= 1}
          onPress={() => setZoom(Math.max(1, zoom - 0.5))}
        />
        <Num>{Math.round(zoom * 100)}%</Num>
        <Button
          kind="quiet"
          size="s"
          icon={ZoomIn}
          label={t('papers.zoomIn')}
          isDisabled={zoom >= 4}
          onPress={() => setZoom(Math.min(4, zoom + 0.5))}
        />
        {paper.pages.length > 1 && (
          <span className="pages">
            {paper.pages.map((_, index) => (
              <Button
                key={index}
                size="s"
                kind={index === page ? 'soft' : 'quiet'}
                label={t('papers.pageNumber', { page: index + 1 })}
                pressed={index === page}
                onPress={() => onPage(index)}
              >
                <Num>{index + 1}</Num>
              </Button>
            ))}
          </span>
        )}
      </div>
    </div>
  )
}
