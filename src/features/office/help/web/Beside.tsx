import { Search, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link } from 'react-aria-components/Link'
import type { Screen } from '#kit/describe/screen.ts'
import { failureText } from '#kit/web/calls/call.ts'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Kbd } from '#kit/web/parts/Kbd.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useMedia } from '#kit/web/parts/useMedia.ts'
import { useFitting } from '#kit/web/shell/registry.ts'
import { useStateFor } from '#kit/web/hooks/useStateFor.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { AskSupport } from '#features/office/support/web/index.tsx'
import type { Article } from '../endpoints.ts'
import { ArticleText } from './ArticleText.tsx'
import { search } from './search.ts'
import { articlePath, useArticles } from './useArticles.ts'
import './help.css'

/** Help about the present page, beside it; another page brings its own. */
export function Beside({
  screen,
  onClose,
  onKeys,
}: {
  screen: Screen | undefined
  onClose: () => void
  onKeys: () => void
}) {
  const t = useWords()
  const wide = useMedia('(width >= 75rem)')
  const { news } = useFitting()
  const { articles, language, isForeign, all, error } = useArticles()
  const panel = useRef<HTMLDivElement>(null)
  const name = screen?.name
  // Another page is another question.
  const [text, setText] = useStateFor(name, '')
  const [chosen, setChosen] = useStateFor<string | undefined>(name, undefined)
  // Not into its field: `?` once more shows the keys of the page.
  useEffect(() => panel.current?.focus({ preventScroll: true }), [])
  const typed = text.trim()
  const own = (articles ?? []).filter(({ screens }) => name !== undefined && screens.includes(name))
  const shown = (articles ?? []).find(({ key }) => key === chosen) ?? own[0]
  const others = typed
    ? search(all, typed).slice(0, 12)
    : [...own, ...(articles ?? []).filter(({ wing }) => wing === shown?.wing)]
        .filter((one, n, every) => one !== shown && every.indexOf(one) === n)
        .slice(0, 5)
  const list = (of: readonly Article[]) => (
    <ul className="he-list">
      {of.map(({ key, title }) => (
        <li key={key}>
          <button
            type="button"
            lang={language}
            onClick={() => {
              setChosen(key)
              setText('')
            }}
          >
            {title}
          </button>
        </li>
      ))}
    </ul>
  )
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape leaves it from wherever the cursor is
    <div
      ref={panel}
      tabIndex={-1}
      className="he-beside"
      data-wide={wide ? '' : undefined}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !wide) return
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
    >
      {wide && (
        <header>
          <h2>{t('kit.shell.help')}</h2>
          <Button kind="quiet" size="s" icon={X} label={t('kit.actions.close')} onPress={onClose} />
        </header>
      )}
      <div role="search">
        <TextField
          label={t('help.search')}
          placeholder={t('help.search')}
          hideLabel
          value={text}
          onChange={setText}
          icon={Search}
          type="search"
        />
      </div>
      <p className="vh" role="status">
        {typed && t('help.found', { count: others.length })}
      </p>
      <div className="he-scroll">
        {error && !articles ? (
          <Note tone="late">{failureText(t, error)}</Note>
        ) : !articles || !language ? (
          <Skeleton lines={6} />
        ) : typed ? (
          others.length > 0 ? (
            list(others)
          ) : (
            <>
              <p className="hint">{t('help.none', { text: typed })}</p>
              <p>
                <AskSupport />
              </p>
            </>
          )
        ) : (
          <>
            {shown ? (
              <article aria-labelledby="he-beside-title">
                <h3 id="he-beside-title" className="he-title" lang={language}>
                  <Link href={articlePath(shown.key)}>{shown.title}</Link>
                </h3>
                <ArticleText of={shown} language={language} isForeign={isForeign} here={name} />
              </article>
            ) : (
              <p className="hint">{t('help.nothingHere')}</p>
            )}
            {others.length > 0 && (
              <section aria-labelledby="he-beside-more">
                <h3 id="he-beside-more">{t('help.others')}</h3>
                {list(others)}
              </section>
            )}
            <p>
              <AskSupport article={shown?.key} />
            </p>
          </>
        )}
      </div>
      <footer>
        <Link href="/invoice/questions" className="aim">
          {t('help.readWhole')}
        </Link>
        <Link href="/invoice/releasenotes" className="aim" data-news={news ? '' : undefined}>
          {t('help.news')}
        </Link>
        <button type="button" className="aim" onClick={onKeys}>
          {t('help.keys')} <Kbd keys="?" />
        </button>
      </footer>
    </div>
  )
}
