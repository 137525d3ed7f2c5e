import { ArrowUpLeft, BookOpen } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { call, useCall } from '#kit/web/calls/call.ts'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { useLanguage, useWords, type Language } from '#kit/web/words/words.tsx'
import { helpCaptions, helpVideos } from '../endpoints.ts'
import { walkList, type WalkName } from '../walks.ts'
import { articlePath } from './useArticles.ts'
import './help.css'

const files = import.meta.glob<string>('../videos/*.webm', { query: '?url', import: 'default', eager: true })
const languages: readonly (readonly [Language, string])[] = [
  ['he', 'עברית'],
  ['en', 'English'],
  ['ar', 'العربية'],
  ['ru', 'Русский'],
  ['fr', 'Français'],
]

/** Films are Hebrew and English. */
const shownIn = (lang: Language) => (lang === 'he' ? 'he' : 'en')

/** The first minute of each job, as one sees it: silent, with captions in every language of the product. */
export function Screen() {
  const t = useWords()
  const { lang } = useLanguage()
  const { data } = useCall(
    helpVideos,
    { shown: shownIn(lang) },
    { staleTime: Infinity, refetchOnWindowFocus: false },
  )
  return (
    <div className="he-page he-wide">
      <PageHeader title={t('screens.videos')} sub={t('help.videosSub')} />
      <ul className="he-videos">
        {walkList.map(({ name, path, article }) => {
          const seconds = data?.videos.find((one) => one.name === name)?.seconds
          return (
            <li key={name}>
              <div className="he-head">
                <h2 id={`he-video-${name}`}>{t(`help.walk.${name}.title`)}</h2>
                <span className="hint">{seconds !== undefined && t('help.videoLength', { seconds })}</span>
              </div>
              <Film name={name} label={`he-video-${name}`} key={lang} />
              <p className="he-of">
                <Link href={articlePath(article)}>
                  <Icon of={BookOpen} /> {t('help.videoGuide')}
                </Link>
                <Link href={path}>
                  <Icon of={ArrowUpLeft} /> {t('help.videoOpen')}
                </Link>
              </p>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** One video; its captions come when it begins, those of the reader's language first and standing. */
function Film({ name, label }: { name: WalkName; label: string }) {
  const t = useWords()
  const { lang } = useLanguage()
  const player = useRef<HTMLVideoElement>(null)
  const [began, setBegan] = useState(false)
  const shown = shownIn(lang)
  useEffect(() => {
    const video = player.current
    if (!video || !began) return
    const known = new Set<TextTrack>()
    const fill = (track: TextTrack) => {
      if (known.has(track)) return
      known.add(track)
      void call(helpCaptions, { name, shown, lang: track.language as Language })
        .then(({ cues }) => {
          for (const { from, to, text } of cues) track.addCue(new VTTCue(from, to, text))
        })
        .catch(() => known.delete(track))
    }
    // A track once added stays with its element: the own language first, so that players that offer one offer
    // this.
    const tracks =
      video.textTracks.length > 0
        ? [...video.textTracks]
        : [...languages]
            .sort(([a], [b]) => Number(b === lang) - Number(a === lang))
            .map(([of, title]) => video.addTextTrack('captions', title, of))
    for (const track of tracks) track.mode = track.language === lang ? 'showing' : 'disabled'
    const chosen = () => tracks.filter(({ mode }) => mode !== 'disabled').forEach(fill)
    chosen()
    video.textTracks.addEventListener('change', chosen)
    return () => video.textTracks.removeEventListener('change', chosen)
  }, [began, lang, name, shown])
  return (
    <video
      ref={player}
      className="he-film"
      controls
      muted
      playsInline
      preload="metadata"
      width={1080}
      height={680}
      aria-labelledby={label}
      src={files[`../videos/${name}.${shown}.webm`]}
      onPlay={() => setBegan(true)}
    >
      {t('help.videoNone')}
    </video>
  )
}
