import { ArrowLeft, Search } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link } from 'react-aria-components/Link'
import { menuGroups } from '#kit/describe/screen.ts'
import { failureText } from '#kit/web/calls/call.ts'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { usePhone } from '#kit/web/parts/useMedia.ts'
import { useKeys } from '#kit/web/parts/useKeys.ts'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { useTitle } from '#kit/web/routes/router.tsx'
import { groupIcons } from '#kit/web/shell/icons.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { AskSupport } from '#features/office/support/web/index.tsx'
import { plainOf } from '../blocks.ts'
import type { Article } from '../endpoints.ts'
import { ArticleText } from './ArticleText.tsx'
import { search } from './search.ts'
import { articlePath, useArticles } from './useArticles.ts'
import './help.css'

/**
 * The help as a whole: found by typing, or by the part of the menu it speaks of; one article by its address.
 */
export function Screen() {
  const t = useWords()
  const { query, setQuery } = usePlace()
  const phone = usePhone()
  const form = useRef<HTMLFormElement>(null)
  const { articles, language, isForeign, all, error, refetch } = useArticles()
  useKeys({ '/': () => form.current?.querySelector('input')?.focus() })
  const text = query.q ?? ''
  const typed = text.trim()
  const one = (articles ?? []).find(({ key }) => key === query.article)
  useTitle(one?.title)
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (one) top.current?.scrollIntoView({ block: 'nearest' })
  }, [one])
  const found = typed ? search(all, typed) : []
  const lines = (of: readonly Article[], withText = false) => (
    <ul className="he-list">
      {of.map((article) => (
        <li key={article.key}>
          <Link href={articlePath(article.key)} lang={language}>
            {article.title}
            {withText && <small>{plainOf(article.blocks).slice(0, 140)}…</small>}
          </Link>
        </li>
      ))}
    </ul>
  )
  if (one && language)
    return (
      <div ref={top} className="he-page">
        <PageHeader
          crumbs={[{ label: t('screens.questions'), href: '/invoice/questions' }]}
          title={<span lang={language}>{one.title}</span>}
          actions={
            <Button
              icon={ArrowLeft}
              m
              onPress={() => (history.length > 1 ? history.back() : go('/invoice/questions'))}
            >
              {t('kit.actions.back')}
            </Button>
          }
        />
        <Card>
          <ArticleText of={one} language={language} isForeign={isForeign} />
        </Card>
        <p>
          <AskSupport article={one.key} />
        </p>
        <section className="he-more" aria-labelledby="he-more">
          <h2 id="he-more">{t('help.others')}</h2>
          {lines((articles ?? []).filter((other) => other !== one && other.wing === one.wing).slice(0, 8))}
        </section>
      </div>
    )
  return (
    <div className="he-page">
      <PageHeader title={t('screens.questions')} sub={isForeign ? t('help.inEnglish') : undefined} />
      <form
        ref={form}
        role="search"
        className="he-find"
        onSubmit={(event) => {
          event.preventDefault()
          if (found[0]) go(articlePath(found[0].key))
        }}
      >
        <TextField
          label={t('help.search')}
          placeholder={t('help.search')}
          hideLabel
          value={text}
          onChange={(next) => setQuery({ q: next || undefined, article: undefined })}
          icon={Search}
          type="search"
          autoFocus={!phone}
        />
      </form>
      <p className="vh" role="status">
        {typed && t('help.found', { count: found.length })}
      </p>
      {error && !articles ? (
        <Note tone="late" action={<Button onPress={() => void refetch()}>{t('kit.actions.retry')}</Button>}>
          {failureText(t, error)}
        </Note>
      ) : !articles ? (
        <Skeleton lines={8} />
      ) : typed ? (
        found.length > 0 ? (
          lines(found, true)
        ) : (
          <p className="hint">{t('help.none', { text: typed })}</p>
        )
      ) : (
        <div className="he-groups">
          {menuGroups
            .map((wing) => ({ wing, own: articles.filter((article) => article.wing === wing) }))
            .filter(({ own }) => own.length > 0)
            .map(({ wing, own }) => (
              <section key={wing} aria-labelledby={`he-${wing}`}>
                <h2 id={`he-${wing}`}>
                  <Icon of={groupIcons[wing]} />
                  {t(`menu.${wing}`)}
                </h2>
                {lines(own)}
              </section>
            ))}
        </div>
      )}
    </div>
  )
}
