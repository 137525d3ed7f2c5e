import { CircleCheck, CircleX, Minus } from 'lucide-react'
import { useState } from 'react'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useWords, wordIfAny } from '#kit/web/words/words.tsx'
import { reviewBulk, runBulk, type bulkDeeds, type Outcome } from '../endpoints.ts'

const atOnce = 5

/**
 * A list to review before an action over many clients, and the outcome of each after it. Brings the words of: errors
 */
export function BulkDialog({
  deed,
  month,
  ids,
  onClose,
}: {
  deed: (typeof bulkDeeds)[number]
  month: string
  ids: string[]
  onClose: () => void
}) {
  const t = useWords()
  const review = useCall(reviewBulk, { deed, month, clientIds: ids }, { staleTime: 0, gcTime: 0 })
  const [despite, setDespite] = useState(false)
  const [done, setDone] = useState<Map<string, Outcome>>()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const rows = review.data?.rows ?? []
  const canDo = rows.filter(({ code, left }) => code === null && (despite || left.length === 0))
  const someLeft = rows.some(({ code, left }) => code === null && left.length > 0)
  const run = async () => {
    setBusy(true)
    setFailure(undefined)
    const ended = new Map<string, Outcome>()
    try {
      for (let at = 0; at < canDo.length; at += atOnce) {
        const part = canDo.slice(at, at + atOnce).map(({ clientId }) => clientId)
        for (const one of (await call(runBulk, { deed, month, clientIds: part, despite })).rows)
          ended.set(one.clientId, one)
        setDone(new Map(ended))
      }
    } catch (e) {
      setFailure(e)
    }
    setBusy(false)
  }
  const isOver = done !== undefined && !busy
  return (
    <Dialog
      isOpen
      size="l"
      form
      onClose={onClose}
      title={t(`practice.bulk.${deed}`, { count: ids.length })}
      actions={
        <>
          {!isOver && (
            <Button kind="quiet" onPress={onClose}>
              {t('kit.actions.back')}
            </Button>
          )}
          {/* The same button throughout: the focus stays in it when the action is done. */}
          <Button
            kind="primary"
            busy={busy}
            isDisabled={!isOver && canDo.length === 0}
            onPress={() => (isOver ? onClose() : void run())}
          >
            {isOver ? t('kit.actions.close') : t(`practice.do.${deed}`, { count: canDo.length })}
          </Button>
        </>
      }
    >
      {review.error ? <Note tone="late">{failureText(t, review.error)}</Note> : null}
      {failure ? <Note tone="late">{failureText(t, failure)}</Note> : null}
      {!isOver && someLeft && (
        <FlagField label={t('practice.despite')} value={despite} onChange={setDespite} />
      )}
      {!review.data ? (
        <Skeleton lines={Math.min(8, ids.length)} />
      ) : (
        <ul className="of-outcomes" aria-live="polite">
          {rows.map((row) => (
            <One
              key={row.clientId}
              before={row}
              after={done?.get(row.clientId)}
              despite={despite}
              deed={deed}
            />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function One({
  before,
  after,
  despite,
  deed,
}: {
  before: Outcome
  after: Outcome | undefined
  despite: boolean
  deed: string
}) {
  const t = useWords()
  const told = after ?? before
  const isLeft = !after && told.code === null && told.left.length > 0 && !despite
  const why = told.code ? (wordIfAny(t, `errors.${told.code}`, told.params) ?? told.code) : undefined
  return (
    <li data-is={after ? (after.code ? 'bad' : 'good') : told.code || isLeft ? 'out' : undefined}>
      <Icon of={after ? (after.code ? CircleX : CircleCheck) : Minus} size="s" />
      <span className="grow">
        <bdi>{before.name || t('practice.gone')}</bdi>
        {why && <span className="hint text-13">{why}</span>}
        {!why && !after && told.left.length > 0 && (
          <span className="hint text-13">
            {told.left.map((line) => wordIfAny(t, `practice.lineName.${line}`) ?? line).join(' · ')}
          </span>
        )}
        {!why && after && (
          <span className="hint text-13">{t(`practice.did.${deed}`, { count: after.count })}</span>
        )}
      </span>
      {told.sumAgorot !== null && <MoneyCell value={told.sumAgorot} />}
    </li>
  )
}
