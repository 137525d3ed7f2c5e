import { Link2, Send } from 'lucide-react'
import { useState } from 'react'
import { addMonths, compareDays, dayInJerusalem, endOfMonth, startOfMonth } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { EmailField } from '#kit/web/fields/ContactFields.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { LongText } from '#kit/web/fields/TextField.tsx'
import type { About } from '#kit/web/routes/askAbout.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { CopyCard } from '#kit/web/public/CopyCard.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { askMissing, makeRequest, missingPapers, requestKinds, requestLink } from '../endpoints.ts'
import { refresh } from './refresh.ts'
import './requests.css'

/** One request; `about`: the line it concerns, which its recipient is led to. */
export function MakeDialog({ about, onClose }: { about?: About; onClose: () => void }) {
  const t = useWords()
  const [kind, setKind] = useState<(typeof requestKinds)[number]>('question')
  const [text, setText] = useState(about ? `${about.what}: ` : '')
  const [day, setDay] = useState<string | null>(about?.day ?? null)
  const [sumAgorot, setSum] = useState<number | null>(about?.sumAgorot ? Math.abs(about.sumAgorot) : null)
  return (
    <FormDialog
      title={t('requests.new')}
      verb={t('requests.ask')}
      icon={Send}
      m
      names={['kind', 'text', 'day', 'sumAgorot']}
      onClose={onClose}
      onSubmit={async () => {
        await call(makeRequest, { kind, text, day, sumAgorot, ...(about ? { aboutPath: about.path } : {}) })
        void refresh()
        // From a line one sees no list in which it would stand.
        if (about) banner.success(t('requests.asked'))
        onClose()
      }}
    >
      {(refusal) => (
        <>
          <ChoiceField
            label={t('requests.fields.kind')}
            value={kind}
            onChange={(next) => next && setKind(next)}
            choices={requestKinds.map((value) => ({ value, label: t(`requests.kind.${value}`) }))}
          />
          <LongText
            label={t('requests.fields.text')}
            value={text}
            onChange={setText}
            rows={3}
            max={2000}
            {...refusal('text', text)}
          />
          {kind === 'paper' && (
            <>
              <DayField
                label={t('requests.fields.day')}
                value={day}
                onChange={setDay}
                optional
                {...refusal('day', day)}
              />
              <MoneyField
                label={t('requests.fields.sum')}
                hint={t('requests.sumHint')}
                value={sumAgorot}
                onChange={setSum}
                optional
                {...refusal('sumAgorot', sumAgorot)}
              />
            </>
          )}
        </>
      )}
    </FormDialog>
  )
}

const today = () => dayInJerusalem(new Date())

/**
 * Payments of the bank that have no paper, and bills that usually come and did not: ticked, and asked for.
 */
export function MissingDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const [from, setFrom] = useState<string | null>(startOfMonth(addMonths(today(), -1)))
  const [to, setTo] = useState<string | null>(endOfMonth(today()))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const isRange = from !== null && to !== null && from <= to
  const { data, error } = useCall(
    missingPapers,
    { from: from ?? '', to: to ?? '' },
    { enabled: isRange, staleTime: 0 },
  )
  const rows = [
    ...(data?.rows.map((row) => ({ ...row, key: row.id })) ?? []),
    ...(data?.bills.map((bill) => ({
      ...bill,
      key: `${bill.supplierId} ${bill.month}`,
      text: t('requests.usual', { supplier: bill.supplier }),
    })) ?? []),
  ].toSorted((a, b) => compareDays(a.day, b.day))
  const asked = rows.filter(({ key }) => chosen.has(key))
  const all = rows.length > 0 && asked.length === rows.length
  const toggle = (key: string) =>
    setChosen(
      (before) => new Set(before.has(key) ? [...before].filter((one) => one !== key) : [...before, key]),
    )
  const ask = async () => {
    setBusy(true)
    try {
      const { count } = await call(askMissing, {
        lineIds: asked.flatMap((row) => ('id' in row ? [row.id] : [])),
        bills: asked.flatMap((row) =>
          'supplierId' in row ? [{ supplierId: row.supplierId, month: row.month }] : [],
        ),
      })
      void refresh()
      onClose()
      banner.success(t('requests.asked', { count }))
    } catch (e) {
      setFailure(e)
      setBusy(false)
    }
  }
  return (
    <Dialog
      isOpen
      form
      size="l"
      onClose={onClose}
      title={t('requests.findMissing')}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.back')}
          </Button>
          <Button
            kind="primary"
            icon={Send}
            m
            busy={busy}
            isDisabled={asked.length === 0}
            onPress={() => void ask()}
          >
            {t('requests.askFor', { count: asked.length })}
          </Button>
        </>
      }
    >
      <p className="sub">{t('requests.missingText')}</p>
      <div className="rq-range">
        <DayField label={t('kit.fields.from')} value={from} onChange={setFrom} />
        <DayField label={t('kit.fields.to')} value={to} onChange={setTo} />
      </div>
      {failure || error ? <Note tone="late">{failureText(t, failure ?? error)}</Note> : null}
      {!data && isRange && !error ? (
        <Skeleton lines={5} />
      ) : rows.length === 0 ? (
        <p className="hint">{t('requests.noneMissing')}</p>
      ) : (
        <ul className="rq-missing">
          <li>
            <label>
              <input
                type="checkbox"
                checked={all}
                onChange={() => setChosen(all ? new Set() : new Set(rows.map(({ key }) => key)))}
              />
              <span className="grow">{t('requests.all')}</span>
            </label>
          </li>
          {rows.map((row) => (
            <li key={row.key}>
              <label>
                <input type="checkbox" checked={chosen.has(row.key)} onChange={() => toggle(row.key)} />
                <Num>{formatDay(row.day)}</Num>
                <bdi className="grow cut" title={row.text}>
                  {row.text}
                </bdi>
                {row.sumAgorot !== null && <MoneyCell value={row.sumAgorot} />}
              </label>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}

/** The page on which all of it is answered: mailed, or copied into a chat. */
export function LinkDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const [to, setTo] = useState('')
  const [url, setUrl] = useState<string>()
  const get = async (mail: string | null) => {
    const made = await call(requestLink, { to: mail })
    setUrl(made.url)
    if (mail) {
      onClose()
      banner.success(t('requests.mailed', { to: mail }))
    }
  }
  return (
    <FormDialog
      title={t('requests.link')}
      verb={t('requests.mailIt')}
      icon={Send}
      m
      isDisabled={!to.trim()}
      names={['to']}
      onClose={onClose}
      onSubmit={() => get(to.trim())}
    >
      {(refusal) => (
        <>
          <p className="sub">{t('requests.linkText')}</p>
          <EmailField label={t('requests.fields.to')} value={to} onChange={setTo} {...refusal('to', to)} />
          {url ? (
            <CopyCard icon={Link2} title={t('requests.link')} text={url} />
          ) : (
            <Button onPress={() => void get(null).catch((e: unknown) => banner.error(failureText(t, e)))}>
              {t('requests.showLink')}
            </Button>
          )}
        </>
      )}
    </FormDialog>
  )
}
