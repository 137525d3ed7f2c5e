import { FileDown } from 'lucide-react'
import { useState } from 'react'
import type { Day } from '#domain/day.ts'
import { call, callFile, failureText, queryClient, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { EmailField } from '#kit/web/fields/ContactFields.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { LongText } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { SideSheet } from '#kit/web/parts/Dialog.tsx'
import { problemOf } from '#kit/web/screens/checks.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { PaperPages } from '#features/sales/documents/web/index.tsx'
import {
  sendStatements,
  statementFile,
  statementKinds,
  statementPages,
  type StatementKind,
} from '../endpoints.ts'
import type { Addressee } from './open.tsx'
import './correspondence.css'

/** A statement of account: which, of when, how it will look, and to whom it goes. */
export function StatementSheet({ to, onClose }: { to: readonly Addressee[]; onClose: () => void }) {
  const t = useWords()
  const may = useCan()
  const today = useToday()
  const [kind, setKind] = useState<StatementKind>('card')
  const [from, setFrom] = useState<Day>(`${today.slice(0, 4)}-01-01`)
  const [until, setUntil] = useState<Day>(today)
  const [seen, setSeen] = useState(to[0]!.id)
  const [recipient, setRecipient] = useState<string>()
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string>()
  const single = to.length === 1
  const which = kind === 'card' ? { kind, from, to: until } : { kind }
  const isRight = kind === 'open' || from <= until
  const preview = useCall(statementPages, { id: seen, ...which }, { enabled: isRight, staleTime: 60_000 })
  const known = preview.data?.to ?? []
  const address = recipient ?? known.join(', ')
  const wrong = recipient ? problemOf({ kind: 'email' }, recipient) : undefined

  const send = async () => {
    if (wrong) return setFailed(t(`errors.fields.${wrong.code}`))
    setBusy(true)
    setFailed(undefined)
    try {
      const { queued, without } = await call(sendStatements, {
        ids: to.map(({ id }) => id),
        ...which,
        ...(single && recipient ? { recipient } : {}),
        text,
      })
      void queryClient.invalidateQueries({ queryKey: ['messages.list'] })
      void queryClient.invalidateQueries({ queryKey: ['customers.activity'] })
      onClose()
      if (queued > 0) banner.success(t('correspondence.sent', { count: queued }))
      if (without.length > 0)
        banner.error(t('correspondence.without', { names: without.map(({ name }) => name).join(', ') }))
    } catch (e) {
      setFailed(failureText(t, e))
      setBusy(false)
    }
  }
  const save = () =>
    void callFile(statementFile, { id: seen, ...which }, { open: true }).catch((e: unknown) =>
      setFailed(failureText(t, e)),
    )
  const nobody = single && !recipient && preview.data !== undefined && known.length === 0

  return (
    <SideSheet
      isOpen
      size="l"
      onClose={onClose}
      title={
        single
          ? t('correspondence.statementOf', { name: to[0]!.name })
          : t('correspondence.statements', { count: to.length })
      }
      actions={
        <>
          <Button kind="quiet" icon={FileDown} onPress={save}>
            {t('correspondence.pdf')}
          </Button>
          {may('documents.send') && (
            <Button
              kind="primary"
              busy={busy}
              onPress={() => void send()}
              {...(nobody
                ? { blocked: t('correspondence.noMail') }
                : isRight
                  ? {}
                  : { blocked: t('errors.fields.range') })}
            >
              {t('correspondence.send')}
            </Button>
          )}
        </>
      }
    >
      <div className="cr-statement">
        <div className="cr-form">
          {failed && <Note tone="late">{failed}</Note>}
          <ChoiceField
            label={t('correspondence.kind')}
            value={kind}
            onChange={(next) => next && setKind(next)}
            choices={statementKinds.map((value) => ({ value, label: t(`correspondence.kinds.${value}`) }))}
          />
          {kind === 'card' && (
            <div className="cr-pair">
              <DayField label={t('kit.fields.from')} value={from} onChange={(day) => day && setFrom(day)} />
              <DayField
                label={t('kit.fields.to')}
                value={until}
                onChange={(day) => day && setUntil(day)}
                {...(isRight ? {} : { error: t('errors.fields.range') })}
              />
            </div>
          )}
          {may('documents.send') && (
            <>
              {single && (
                <EmailField
                  label={t('correspondence.recipient')}
                  value={address}
                  onChange={setRecipient}
                  {...(known.length > 1 && recipient === undefined
                    ? { hint: t('correspondence.several') }
                    : {})}
                />
              )}
              <LongText
                label={t('correspondence.text')}
                hint={t('correspondence.textHint')}
                value={text}
                onChange={setText}
                rows={4}
                max={4000}
                optional
              />
            </>
          )}
          {!single && (
            <ChoiceField
              as="list"
              label={t('correspondence.preview')}
              value={seen}
              onChange={(id) => id && setSeen(id)}
              choices={to.map(({ id, name }) => ({ value: id, label: name }))}
            />
          )}
        </div>
        <div className="cr-paper">
          <PaperPages
            pages={isRight ? preview.data?.pages : undefined}
            label={t('correspondence.statement')}
            failed={preview.isError || !isRight}
          />
        </div>
      </div>
    </SideSheet>
  )
}
