import { Bot, CheckCheck, ExternalLink, ShieldCheck, UserRound } from 'lucide-react'
import { useState } from 'react'
import { formatMoment, withCurrency } from '#domain/format.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { LongText } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords, type Language, type Words } from '#kit/web/words/words.tsx'
import { approve, approveAll, listApprovals, reject, states, type Approval } from '../endpoints.ts'
import { countWaiting } from './waiting.ts'
import './approvals.css'

/** Kinds that change what may be done from now on: each is decided alone, with its consequence said. */
const eachAlone = ['apiKeys']

const refresh = () =>
  Promise.all([queryClient.invalidateQueries({ queryKey: keyOf(listApprovals) }), countWaiting()])
const stateOf = (asked: string | undefined): Approval['state'] =>
  states.find((one) => one === asked) ?? 'waiting'

/** What exceeds the limits of who ordered it, and what was decided about it. */
export function Screen() {
  const t = useWords()
  const { query, setQuery } = usePlace()
  const state = stateOf(query.state)
  const { data, error, refetch } = useCall(listApprovals, { state }, { staleTime: 0 })
  return (
    <>
      <PageHeader title={t('screens.approvals')} sub={t('approvals.hint')}>
        <Views
          views={states.map((key) => ({
            key,
            label: t(`approvals.views.${key}`),
            ...(key === 'waiting' && data ? { count: data.waiting } : {}),
          }))}
          value={state}
          onChange={(key) => setQuery({ state: key === 'waiting' ? undefined : key })}
          label={t('approvals.views.label')}
          chips
        />
      </PageHeader>
      {error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton lines={6} />
      ) : data.rows.length === 0 ? (
        <EmptyState
          icon={ShieldCheck}
          title={t(state === 'waiting' ? 'approvals.empty.title' : `approvals.none.${state}`)}
        >
          {t(state === 'waiting' ? 'approvals.empty.text' : 'approvals.none.text')}
        </EmptyState>
      ) : (
        <Rows rows={data.rows} />
      )}
    </>
  )
}

function Rows({ rows }: { rows: readonly Approval[] }) {
  const t = useWords()
  const [busy, setBusy] = useState(false)
  const [asks, setAsks] = useState<{ kind: string; count: number }>()
  const run = async (work: () => Promise<string>) => {
    setBusy(true)
    try {
      banner.success(await work())
    } catch (e) {
      banner.error(failureText(t, e))
    } finally {
      setBusy(false)
      await refresh()
    }
  }
  // What waits is decided kind by kind; what was decided stays in the order of its time.
  const waits = rows[0]?.state === 'waiting'
  const groups = waits
    ? [...new Set(rows.map((row) => row.kind))].map((kind) => ({
        kind,
        of: rows.filter((row) => row.kind === kind),
      }))
    : [{ kind: '', of: rows }]
  return (
    <div className="ap-page">
      {groups.map(({ kind, of }) => (
        <section key={kind}>
          {kind && (
            <div className="ap-many">
              <h2 className="grow">{t(`approvals.kinds.${kind}`)}</h2>
              {of.length > 1 && !eachAlone.includes(kind) && (
                <Button
                  icon={CheckCheck}
                  isDisabled={busy}
                  onPress={() => setAsks({ kind, count: of.length })}
                >
                  {t('approvals.approveAll', { count: of.length })}
                </Button>
              )}
            </div>
          )}
          <ul className="ap-list">
            {of.map((row) => (
              <One key={row.id} row={row} busy={busy} run={run} />
            ))}
          </ul>
        </section>
      ))}
      <Question
        isOpen={asks !== undefined}
        onClose={() => setAsks(undefined)}
        title={t('approvals.approveAll', { count: asks?.count ?? 0 })}
        verb={t('approvals.approve')}
        onConfirm={() =>
          run(async () => t('approvals.said.all', await call(approveAll, { kind: asks?.kind ?? '' })))
        }
      >
        {t('approvals.approveAllAsk')}
      </Question>
    </div>
  )
}

const shekels = (agorot: number | null, language: Language): string | undefined =>
  agorot === null ? undefined : withCurrency(agorot, 'ILS', language)

const whoOf = (t: Words, { by, keyName, keyPrefix }: Approval): string =>
  keyName === null
    ? by
    : t(by ? 'approvals.byKey' : 'approvals.key', { by, name: keyName, prefix: keyPrefix ?? '' })

function One({
  row,
  busy,
  run,
}: {
  row: Approval
  busy: boolean
  run: (work: () => Promise<string>) => Promise<void>
}) {
  const t = useWords()
  const [rejects, setRejects] = useState(false)
  const [reason, setReason] = useState('')
  const { lang } = useLanguage()
  const amount = shekels(row.amountAgorot, lang)
  const effect = t(`approvals.effect.${row.effect}`)
  const limit = shekels(row.limitAgorot, lang) ?? ''
  return (
    <li className="ap-one">
      <header>
        <h3>
          <bdi>{row.title || t(`approvals.kinds.${row.kind}`)}</bdi>
        </h3>
        <time dateTime={row.askedAt}>{formatMoment(new Date(row.askedAt))}</time>
      </header>
      {!eachAlone.includes(row.kind) && (
        <p className="ap-what">{amount ? t('approvals.sentence', { effect, amount }) : effect}</p>
      )}
      <p className={row.keyName === null ? 'ap-who' : 'ap-who is-machine'}>
        <Icon of={row.keyName === null ? UserRound : Bot} size="s" />
        <span>{whoOf(t, row)}</span>
      </p>
      <Note tone="wait">{t(`approvals.why.${row.why}`, { limit })}</Note>
      {row.state === 'waiting' && eachAlone.includes(row.kind) && <p>{t(`approvals.about.${row.kind}`)}</p>}
      {row.state === 'waiting' ? (
        <div className="ap-acts">
          <Button
            kind="primary"
            isDisabled={busy}
            onPress={() =>
              void run(() => call(approve, { id: row.id }).then(() => t('approvals.said.approved')))
            }
          >
            {amount ? t('approvals.approveAmount', { amount }) : t('approvals.approve')}
          </Button>
          {row.href && (
            <Button icon={ExternalLink} href={row.href}>
              {t('approvals.open')}
            </Button>
          )}
          <Button kind="quiet" isDisabled={busy} onPress={() => setRejects(true)}>
            {t('approvals.reject')}
          </Button>
        </div>
      ) : (
        <p className="ap-done">
          {t('approvals.decided', {
            by: row.decidedBy ?? '',
            day: row.decidedAt ? formatMoment(new Date(row.decidedAt)) : '',
          })}
          {row.reason && <q>{row.reason}</q>}
          {row.href && (
            <Button kind="quiet" size="s" icon={ExternalLink} href={row.href}>
              {t('approvals.open')}
            </Button>
          )}
        </p>
      )}
      <Question
        isOpen={rejects}
        onClose={() => setRejects(false)}
        title={t('approvals.rejectTitle')}
        verb={t('approvals.reject')}
        onConfirm={() =>
          run(() => call(reject, { id: row.id, reason }).then(() => t('approvals.said.rejected')))
        }
      >
        <LongText
          label={t('approvals.reason')}
          hint={t('approvals.reasonHint')}
          value={reason}
          onChange={setReason}
          max={500}
        />
      </Question>
    </li>
  )
}
