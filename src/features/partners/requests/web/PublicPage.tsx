import { Camera, CircleCheck } from 'lucide-react'
import { useId, useState } from 'react'
import { formatDay } from '#domain/format.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { BusinessPage } from '#kit/web/public/BusinessPage.tsx'
import { Lead } from '#kit/web/public/Lead.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { Answer } from './Answer.tsx'
import { pageAnswer, pageLogoOfRequests, pageOfRequests, pagePaper } from '../endpoints.ts'
import './requests.css'

type Row = OutputOf<typeof pageOfRequests>['rows'][number]

/** What the accountant asks, answered by the person who has the link: a photograph or a word, without a log-in. */
export function Screen() {
  const t = useWords()
  const key = usePlace().params.key ?? ''
  const asked = useCall(pageOfRequests, { key }, { refetchOnWindowFocus: false, staleTime: 60_000 })
  return (
    <BusinessPage
      asked={asked}
      pageKey={key}
      logo={pageLogoOfRequests}
      title={() => t('requests.pageTitle')}
      missing={{ title: t('requests.pageGone'), text: t('requests.pageGoneText') }}
    >
      {(data) => (
        <>
          <Lead label={t('requests.pageTitle')} title={t('requests.pageTitle')}>
            <p className="sub">
              {t('requests.pageSub', { name: data.askedBy, business: data.business.name })}
            </p>
          </Lead>
          {data.rows.length === 0 ? (
            <Note tone="done">{t('requests.pageDone')}</Note>
          ) : (
            <ul className="rq-list">
              {data.rows.map((row) => (
                <One key={row.id} of={row} pageKey={key} />
              ))}
            </ul>
          )}
        </>
      )}
    </BusinessPage>
  )
}

function One({ of: row, pageKey }: { of: Row; pageKey: string }) {
  const t = useWords()
  const id = useId()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const refresh = () => queryClient.invalidateQueries({ queryKey: keyOf(pageOfRequests, { key: pageKey }) })
  const put = async (file: File | undefined) => {
    if (!file) return
    setBusy(true)
    setFailure(undefined)
    try {
      await call(pagePaper, {
        key: pageKey,
        id: row.id,
        name: file.name.slice(0, 200) || 'paper.jpg',
        bytes: file,
      })
      await refresh()
    } catch (e) {
      setFailure(e)
    }
    setBusy(false)
  }
  return (
    <li className="rq-one" aria-busy={busy}>
      <header>
        <span className="hint">{t(`requests.kind.${row.kind}`)}</span>
        {row.day && <Num>{formatDay(row.day)}</Num>}
        {row.sumAgorot !== null && <MoneyCell value={row.sumAgorot} />}
        {row.isAnswered && (
          <StatusPill tone="done" dot={false}>
            <Icon of={CircleCheck} size="s" /> {t('requests.got')}
          </StatusPill>
        )}
      </header>
      <p className="t" dir="auto">
        {row.text}
      </p>
      {row.answer && (
        <p className="hint" dir="auto">
          {row.answer}
        </p>
      )}
      {failure ? <Note tone="late">{failureText(t, failure)}</Note> : null}
      {row.kind === 'paper' && (
        <label className="rq-camera k-btn" data-kind={row.isAnswered ? 'plain' : 'primary'} htmlFor={id}>
          <Icon of={Camera} />
          {t(busy ? 'requests.sending' : row.isAnswered ? 'requests.another' : 'requests.photograph')}
          <input
            id={id}
            type="file"
            accept="image/*,application/pdf"
            capture="environment"
            disabled={busy}
            onChange={(event) => void put(event.target.files?.[0])}
          />
        </label>
      )}
      <Answer
        label={t(row.kind === 'paper' ? 'requests.noPaper' : 'requests.say')}
        onSend={(text) => call(pageAnswer, { key: pageKey, id: row.id, text }).then(refresh)}
      />
    </li>
  )
}
