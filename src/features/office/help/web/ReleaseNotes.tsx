import { useEffect, useState } from 'react'
import { formatDay } from '#domain/format.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { fitShell } from '#kit/web/shell/registry.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { helpNews, helpReleases, helpSeen, type Release } from '../endpoints.ts'
import { Blocks } from './Blocks.tsx'
import './help.css'

/** Of what is new, first the defaults and rules that are others than before. */
function Changes({ releases }: { releases: readonly Release[] }) {
  const t = useWords()
  const { lang } = useLanguage()
  const told = releases.filter(({ changes }) => changes.length > 0)
  if (told.length === 0) return null
  return (
    <section id="changed" className="he-release" aria-labelledby="he-changed">
      <header>
        <h2 id="he-changed">{t('help.changedTitle')}</h2>
      </header>
      {told.map(({ version, changes, changesLanguage }) => (
        <div
          key={version}
          className="he-text"
          lang={changesLanguage}
          dir={changesLanguage === lang ? undefined : 'ltr'}
        >
          <Blocks
            of={[{ kind: 'list', ordered: false, items: changes.map((spans) => spans.slice(1)) }]}
            level={4}
          />
        </div>
      ))}
    </section>
  )
}

/** What is new, release by release; what was not seen yet carries a mark, this time. */
export function Screen() {
  const t = useWords()
  const { lang } = useLanguage()
  const { data, error } = useCall(helpReleases, { lang }, { refetchOnWindowFocus: false })
  // What was new at the first answer stays marked while the page is open, though it counts as seen from now
  // on.
  const [first, setFirst] = useState<{ newest: string; fresh: ReadonlySet<string> }>()
  if (!first && data?.releases[0])
    setFirst({
      newest: data.releases[0].version,
      fresh: new Set(data.releases.filter(({ isNew }) => isNew).map(({ version }) => version)),
    })
  const fresh = first?.fresh
  const newest = first?.newest
  useEffect(() => {
    if (newest === undefined) return
    void call(helpSeen, { version: newest })
      .then(() => {
        fitShell({ news: false })
        return queryClient.invalidateQueries({ queryKey: keyOf(helpNews) })
      })
      .catch(() => undefined)
  }, [newest])
  const count = fresh?.size ?? 0
  return (
    <div className="he-page">
      <PageHeader
        title={t('screens.releaseNotes')}
        sub={data && fresh ? (count ? t('help.sinceLast', { count }) : t('help.allSeen')) : ' '}
      />
      {error && !data && <Note tone="late">{failureText(t, error)}</Note>}
      {!data && !error && <Skeleton lines={8} />}
      {data && fresh && <Changes releases={data.releases.filter(({ version }) => fresh.has(version))} />}
      {data?.releases.map(({ version, day, translated, groups }) => (
        <section key={version} className="he-release" aria-labelledby={`he-${version}`}>
          <header>
            <h2 id={`he-${version}`}>
              <Num>{version}</Num>
            </h2>
            <span className="hint">{day ? <Num>{formatDay(day)}</Num> : t('help.notOut')}</span>
            {fresh?.has(version) && <StatusPill tone="info">{t('help.new')}</StatusPill>}
          </header>
          {!translated && <p className="hint">{t('help.releaseInEnglish')}</p>}
          <div className="he-text" lang={translated ? lang : 'en'} dir={translated ? undefined : 'ltr'}>
            {groups.map(({ title, blocks }, n) => (
              <div key={n}>
                {title && <h3>{title}</h3>}
                <Blocks of={blocks} level={4} />
              </div>
            ))}
          </div>
        </section>
      ))}
    </div>
  )
}
