import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { Button } from '#kit/web/parts/Button.tsx'
import { allScreens } from '#kit/web/shell/menu.ts'
import { useLanguage, useWords, wordIfAny } from '#kit/web/words/words.tsx'
import type { WordRow } from '../endpoints.ts'
import { isSaidIn, literalsOf } from './literals.ts'

/** The screen as it is at a desk; the frame is as much smaller as there is room. */
const desk = { width: 1280, height: 800 }
/** How long a screen is looked at before the next one is. */
const patienceMs = 7000
const mostScreens = 6

/** Words of the shell and of the kit's parts are on every screen: the first one shows them. */
const screensOf = ({ group, key }: WordRow) => {
  // Where integrations lead back to is open to anyone, yet it is a screen of the person who has the right.
  const open = allScreens().filter(
    (one) =>
      (one.open === 'login' || one.rule !== undefined) && !one.path.includes('$') && one.name !== 'translate',
  )
  const [, second = ''] = key.split('.')
  const own =
    group === 'screens' || group === 'screensFor'
      ? open.filter((one) => one.name === second)
      : open.filter(
          (one) => one.feature.toLowerCase() === (group === 'errors' ? second : group).toLowerCase(),
        )
  return own.length ? own.slice(0, 12) : open.filter((one) => one.name === 'home')
}

/**
 * Where a word is used: the screens of its feature, and a picture of the one it was found on, marked.
 * Brings the words of: screens
 */
export function Where({ of }: { of: WordRow }) {
  const t = useWords()
  const { lang } = useLanguage()
  const screens = screensOf(of)
  const [at, setAt] = useState(0)
  const [isChosen, setChosen] = useState(false)
  const [found, setFound] = useState<'looking' | 'yes' | 'no'>('looking')
  const screen = screens[at]
  if (!screen) return null
  const nameOf = (one: { name: string }) => wordIfAny(t, `screens.${one.name}`) ?? one.name
  return (
    <section className="tr-form">
      <h3>{t('translations.where')}</h3>
      {screens.length > 1 && (
        <div className="tr-where" role="group" aria-label={t('translations.where')}>
          {screens.map((one, i) => (
            <Button
              key={one.path}
              kind={i === at ? 'primary' : 'quiet'}
              aria-pressed={i === at}
              onPress={() => {
                setChosen(true)
                setFound('looking')
                setAt(i)
              }}
            >
              {nameOf(one)}
            </Button>
          ))}
        </div>
      )}
      <Frame
        key={screen.path}
        path={screen.path}
        title={t('translations.picture', { screen: nameOf(screen) })}
        message={of.texts[lang] ?? ''}
        onFound={(isFound) => {
          if (isFound) return setFound('yes')
          // The one it is on is looked for until a person chooses.
          if (!isChosen && at + 1 < Math.min(screens.length, mostScreens)) setAt(at + 1)
          else setFound('no')
        }}
      />
      <p className="hint" role="status">
        {t(`translations.found.${found}`)}
      </p>
      <Link className="aim" href={screen.path} target="_blank" rel="noopener">
        {t('translations.openScreen', { screen: nameOf(screen) })}
      </Link>
    </section>
  )
}

/** A screen in small, which cannot be used; the word is outlined in place. */
function Frame({
  path,
  title,
  message,
  onFound,
}: {
  path: string
  title: string
  message: string
  onFound: (is: boolean) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [width, setWidth] = useState(0)
  const told = useRef(onFound)
  useEffect(() => {
    told.current = onFound
  })
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setWidth(entry!.contentRect.width))
    watch.observe(box.current!)
    return () => watch.disconnect()
  }, [])
  useEffect(() => {
    const until = Date.now() + patienceMs
    const timer = setInterval(() => {
      const place = frame.current?.contentDocument && placeOf(frame.current.contentDocument, message)
      if (!place && Date.now() < until) return
      clearInterval(timer)
      if (place) mark(place)
      told.current(!!place)
    }, 300)
    return () => clearInterval(timer)
  }, [message])
  const scale = width / desk.width
  return (
    <div ref={box} className="tr-picture" style={{ blockSize: desk.height * scale }}>
      {/* It is our own page and needs its session: a sandbox that leaves it that holds nothing back. */}
      {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
      <iframe
        ref={frame}
        src={`${path}?picture=1`}
        title={title}
        tabIndex={-1}
        inert
        width={desk.width}
        height={desk.height}
        style={{ transform: `scale(${scale})` }}
      />
    </div>
  )
}

const spoken = ['aria-label', 'placeholder', 'title'] as const

/** The smallest thing on the page that says the message, in its text or to a screen reader. */
function placeOf(page: Document, message: string): HTMLElement | undefined {
  const hasGaps = /[{#]/.test(message)
  const ways = literalsOf(message)
  if (!ways.length || !page.body) return undefined
  const says = (text: string) => ways.some((parts) => isSaidIn(text, parts, hasGaps))
  const seen = [...page.body.querySelectorAll<HTMLElement>('*')].filter(
    (one) => one.checkVisibility?.() !== false && one.getClientRects().length > 0,
  )
  const byText = seen.findLast((one) => (one.textContent ?? '').length < 2000 && says(one.textContent ?? ''))
  return byText ?? seen.find((one) => spoken.some((name) => says(one.getAttribute(name) ?? '')))
}

function mark(place: HTMLElement): void {
  place.scrollIntoView({ block: 'center' })
  Object.assign(place.style, {
    outline: '4px solid var(--accent)',
    outlineOffset: '4px',
    borderRadius: '4px',
  })
}
