import { ArrowRight } from 'lucide-react'
import { Link } from 'react-aria-components/Link'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { access } from '#kit/web/session/guard.ts'
import { mayDo, useModules, useSession } from '#kit/web/session/session.ts'
import { allScreens } from '#kit/web/shell/menu.ts'
import { useWords, type Language } from '#kit/web/words/words.tsx'
import type { Article } from '../endpoints.ts'
import { Blocks } from './Blocks.tsx'
import './help.css'

/**
 * The screens of an article that this person may open from here: one that needs a record's number is reached
 * by its list.
 */
function useScreensOf(article: Article) {
  const session = useSession()
  const modules = useModules()
  const seen = new Set<string>()
  return allScreens().filter((screen) => {
    if (!article.screens.includes(screen.name) || screen.path.includes('$') || seen.has(screen.name))
      return false
    if (!session || access(screen, session, mayDo, modules).kind !== 'open') return false
    seen.add(screen.name)
    return true
  })
}

/** An article, and the way to the screens it speaks of. */
export function ArticleText({
  of: article,
  language,
  isForeign,
  here,
}: {
  of: Article
  language: Language
  isForeign: boolean
  /** The screen one is on: no way leads from there to itself. */
  here?: string | undefined
}) {
  const t = useWords()
  const screens = useScreensOf(article).filter(({ name }) => name !== here)
  return (
    <>
      {isForeign && <Note>{t('help.inEnglish')}</Note>}
      <div className="he-text" lang={language} dir={language === 'he' ? 'rtl' : 'ltr'}>
        <Blocks of={article.blocks} />
      </div>
      {screens.length > 0 && (
        <nav className="he-to" aria-label={t('help.opens')}>
          {screens.map(({ name, path }) => (
            <Link key={name} href={path} className="aim">
              {t(`screens.${name}`)}
              <Icon of={ArrowRight} size="s" m />
            </Link>
          ))}
        </nav>
      )}
    </>
  )
}
