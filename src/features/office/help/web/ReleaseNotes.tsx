import { useEffect, useState } from 'react'
import { formatDay } from '#domain/format.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { fitShell } from '#kit/web/shell/registry.ts'
import { useLanguage, useWords } from '#kit/web/words.tsx'
import { helpNews, helpReleases, helpSeen } from '../endpoints.ts'
import { Blocks } from './Blocks.tsx'
import './help.css'

/** What is new, release by release; what was not seen yet carries a mark, this time. */
export function Screen() {
  const t = useWords()
  const { lang } = useLanguage()
  const { data, error } = useCall(helpReleases, { lang }, { refetchOnWindowFocus: false })
  // What was new at the first answer stays marked while the page is open, though it counts as seen from now on.
  const [fresh, setFresh] = useState<ReadonlySet<string>>()
  useEffect(() => {
    const newest = data?.releases[0]
    if (!newest || fresh) return
    setFresh(new Set(data.releases.filter(({ isNew }) => isNew).map(({ version }) => version)))
    void call(helpSeen, { version: newest.version })
      .then(() => {
        fitShell({ news: false })
        return queryClient.invalidateQueries({ queryKey: keyOf(helpNews) })
      })
      .catch(() => undefined)
  }, [data, fresh])
  const count = fresh?.size ?? 0
  return (
    <div className="he-page">
      <PageHeader
        title={t('screens.releaseNotes')}
        sub={data && fresh ? (count ? t('help.sinceLast', { count }) : t('help.allSeen')) : ' '}
      />
      {error && !data && <Note tone="late">{failureText(t, error)}</Note>}
      {!data && !error && <Skeleton lines={8} />}
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
