import { Menu as MenuIcon, Search } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatDay } from '#domain/format.ts'
import { useCall } from '#kit/web/calls/call.ts'
import { mainPath } from '#kit/web/session/guard.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Drawer } from '#kit/web/parts/Dialog.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Kbd } from '#kit/web/parts/Kbd.tsx'
import { ranked } from '#kit/web/parts/rank.ts'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useKeys } from '#kit/web/parts/useKeys.ts'
import { useMedia } from '#kit/web/parts/useMedia.ts'
import { usePlace } from '#kit/web/routes/place.ts'
import { useTitle } from '#kit/web/routes/router.tsx'
import { useSession } from '#kit/web/session/session.ts'
import { LanguageMenu } from '#kit/web/shell/LanguageMenu.tsx'
import { Logo } from '#kit/web/shell/Logo.tsx'
import { ThemeButton } from '#kit/web/shell/PublicFrame.tsx'
import { useBrand } from '#kit/web/words/wording.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { docsErrors, docsMenu, type CallLine, type Group } from '../endpoints.ts'
import { changes, jobs, topics, type Job, type Topic } from '../topics.ts'
import { CallPage, Refusals } from './CallPage.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { Points } from './Points.tsx'
import { KeyPlace } from './Panel.tsx'
import { inline, Prose } from './Prose.tsx'
import './docs.css'

const pageHref = (page: string) => `/api/doc?page=${page}`
const callHref = (name: string) => `/api/doc?call=${name}`

/** The documentation of the API: what to know first, jobs, and every call with a place to try it. */
export function Screen() {
  const t = useWords()
  const brand = useBrand()
  const session = useSession()
  const { query } = usePlace()
  const menu = useCall(docsMenu, {}, { staleTime: Infinity })
  const isNarrow = useMedia('(width < 60rem)')
  const [isOpen, setOpen] = useState(false)
  const name = query.call
  const page = query.page ?? 'start'
  const main = useRef<HTMLElement>(null)
  const at = name ?? page
  const [shownAt, setShownAt] = useState(at)
  if (shownAt !== at) {
    setShownAt(at)
    setOpen(false)
  }
  useEffect(() => {
    main.current?.scrollTo({ top: 0 })
    window.scrollTo({ top: 0 })
  }, [at])
  const nav = (
    <Nav groups={menu.data?.groups} failed={menu.error} onRetry={menu.refetch} call={name} page={page} />
  )
  return (
    <div className="ad">
      <header className="s-top ad-top">
        {isNarrow && (
          <Button kind="quiet" icon={MenuIcon} label={t('docs.contents')} onPress={() => setOpen(true)} />
        )}
        <Link
          className="s-brand"
          href={session ? mainPath(session) : '/logininvoice'}
          aria-label={brand.name}
        >
          <Logo />
          <span className="name">{t('docs.brand', { brand: brand.name })}</span>
        </Link>
        <span className="grow" />
        <ThemeButton />
        <LanguageMenu full />
      </header>
      <div className="ad-body-grid">
        {isNarrow ? (
          <Drawer isOpen={isOpen} onClose={() => setOpen(false)} label={t('docs.contents')}>
            {nav}
          </Drawer>
        ) : (
          <nav className="ad-nav" aria-label={t('docs.contents')}>
            {nav}
          </nav>
        )}
        <main
          id="content"
          tabIndex={-1}
          ref={main}
          className="ad-main"
          data-with-side={name ? '' : undefined}
        >
          {name ? <CallPage key={name} name={name} /> : <TopicPage page={page} groups={menu.data?.groups} />}
        </main>
      </div>
    </div>
  )
}

function Nav({
  groups,
  failed,
  onRetry,
  call,
  page,
}: {
  groups: readonly Group[] | undefined
  failed: unknown
  onRetry: () => unknown
  call: string | undefined
  page: string
}) {
  const t = useWords()
  const [typed, setTyped] = useState('')
  const search = useRef<HTMLInputElement>(null)
  useKeys({ '/': () => search.current?.focus() })
  const all = useMemo(
    () =>
      (groups ?? []).flatMap((group) =>
        group.tags.flatMap(({ title, calls }) => calls.map((one) => ({ ...one, title }))),
      ),
    [groups],
  )
  const hits = useMemo(
    () =>
      typed.trim() === ''
        ? undefined
        : ranked(all, typed, (one) => ({
            name: one.summary,
            also: `${one.name.replace('.', ' ')} ${one.path} ${one.title}`,
          }))
            .slice(0, 40)
            .map(({ item }) => item),
    [all, typed],
  )
  const openWing = groups?.find(({ tags }) =>
    tags.some(({ calls }) => calls.some(({ name }) => name === call)),
  )?.wing
  return (
    <>
      <label className="ad-search">
        <Icon of={Search} />
        <span className="sr-only">{t('docs.search')}</span>
        <input
          ref={search}
          type="search"
          dir="auto"
          value={typed}
          placeholder={t('docs.search')}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && hits?.[0]) {
              event.preventDefault()
              event.currentTarget
                .closest('nav, [role=dialog]')
                ?.querySelector<HTMLElement>('.ad-hits a')
                ?.click()
            }
          }}
        />
        <Kbd keys="/" />
      </label>
      {hits ? (
        <ul className="ad-list ad-hits" aria-label={t('docs.search')}>
          {hits.map((one) => (
            <CallLink key={one.name} of={one} current={one.name === call} />
          ))}
          {hits.length === 0 && <li className="sub ad-none">{t('docs.noHits')}</li>}
        </ul>
      ) : (
        <>
          <h2>{t('docs.groups.start')}</h2>
          <ul className="ad-list">
            {topics.map((topic) => (
              <PageLink
                key={topic}
                page={topic}
                current={!call && page === topic}
                title={t(`docs.topics.${topic}.title`)}
              />
            ))}
          </ul>
          <h2>{t('docs.groups.jobs')}</h2>
          <ul className="ad-list">
            {(Object.keys(jobs) as Job[]).map((job) => (
              <PageLink
                key={job}
                page={`job-${job}`}
                current={!call && page === `job-${job}`}
                title={t(`docs.jobs.${job}.title`)}
              />
            ))}
          </ul>
          <h2>{t('docs.groups.calls')}</h2>
          {failed ? <Failed error={failed} onRetry={onRetry} /> : !groups && <Skeleton lines={8} />}
          {groups?.map((group) => (
            <Wing key={group.wing} of={group} call={call} open={group.wing === openWing} />
          ))}
          <ul className="ad-list">
            <li>
              <Link href="/invoice/apiguidelogin">{t('docs.groups.guides')}</Link>
            </li>
          </ul>
        </>
      )}
    </>
  )
}

function Wing({ of, call, open }: { of: Group; call: string | undefined; open: boolean }) {
  return (
    <details className="ad-wing" open={open}>
      <summary>{of.name}</summary>
      {of.tags.map(({ tag, title, calls }) => (
        <details key={tag} className="ad-tag" open={calls.some(({ name }) => name === call)}>
          <summary>{title}</summary>
          <ul className="ad-list">
            {calls.map((one) => (
              <CallLink key={one.name} of={one} current={one.name === call} />
            ))}
          </ul>
        </details>
      ))}
    </details>
  )
}

function CallLink({ of, current }: { of: CallLine; current: boolean }) {
  return (
    <li>
      <Link href={callHref(of.name)} aria-current={current ? 'page' : undefined}>
        <b data-method={of.method}>{of.method}</b>
        <span dir="auto">{of.summary}</span>
      </Link>
    </li>
  )
}

function PageLink({ page, title, current }: { page: string; title: string; current: boolean }) {
  return (
    <li>
      <Link href={pageHref(page)} aria-current={current ? 'page' : undefined}>
        {title}
      </Link>
    </li>
  )
}

function TopicPage({ page, groups }: { page: string; groups: readonly Group[] | undefined }) {
  const t = useWords()
  const job = page.startsWith('job-') ? (page.slice(4) as Job) : undefined
  const known = job ? job in jobs : (topics as readonly string[]).includes(page)
  const title = !known
    ? t('docs.topics.start.title')
    : job
      ? t(`docs.jobs.${job}.title`)
      : t(`docs.topics.${page as Topic}.title`)
  useTitle(title)
  const calls = useMemo(
    () =>
      new Map(
        (groups ?? []).flatMap((group) =>
          group.tags.flatMap((tag) => tag.calls.map((one) => [one.name, one] as const)),
        ),
      ),
    [groups],
  )
  return (
    <article className="ad-page">
      <h1>{title}</h1>
      {job && known ? (
        <>
          <Prose text={t(`docs.jobs.${job}.text`)} />
          <ol className="ad-steps">
            {jobs[job].map((name) => (
              <li key={name}>
                <Link href={callHref(name)}>
                  <b data-method={calls.get(name)?.method}>{calls.get(name)?.method}</b>{' '}
                  <span dir="auto">{calls.get(name)?.summary ?? name}</span>
                </Link>
                <code dir="ltr">{calls.get(name)?.path}</code>
              </li>
            ))}
          </ol>
        </>
      ) : (
        <Prose text={t(`docs.topics.${known ? page : 'start'}.text`)} />
      )}
      {(page === 'start' || page === 'first' || page === 'stripe' || !known) && (
        <section className="ad-panel ad-inline k-night">
          <KeyPlace />
        </section>
      )}
      {page === 'first' && <FirstSteps />}
      {page === 'stripe' && <Points />}
      {page === 'errors' && <AllErrors />}
      {page === 'changes' && <Changes />}
    </article>
  )
}

function AllErrors() {
  const t = useWords()
  const { data, error, refetch } = useCall(docsErrors, {}, { staleTime: Infinity })
  const [typed, setTyped] = useState('')
  if (error) return <Failed error={error} onRetry={refetch} />
  if (!data) return <Skeleton lines={8} />
  const rows = data.rows.filter(({ code, title }) =>
    `${code} ${title}`.toLowerCase().includes(typed.trim().toLowerCase()),
  )
  return (
    <section aria-label={t('docs.errors')}>
      <label className="ad-search ad-inline">
        <Icon of={Search} />
        <span className="sr-only">{t('docs.findError')}</span>
        <input
          type="search"
          dir="auto"
          value={typed}
          placeholder={t('docs.findError')}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      <Refusals rows={rows} />
    </section>
  )
}

function Changes() {
  const t = useWords()
  const days = [...new Set(changes.map(({ day }) => day))]
  return (
    <section aria-label={t('docs.topics.changes.title')}>
      {days.map((day) => (
        <section key={day}>
          <h2>
            <bdi>{formatDay(day)}</bdi>
          </h2>
          <ul className="ad-changes">
            {changes
              .filter((one) => one.day === day)
              .map(({ key }) => (
                <li key={key}>{inline(t(`docs.changes.${key}`))}</li>
              ))}
          </ul>
        </section>
      ))}
    </section>
  )
}
