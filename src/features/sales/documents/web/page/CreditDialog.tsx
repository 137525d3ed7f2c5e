import { useId, useState, type FormEvent } from 'react'
import type { Day } from '#domain/day.ts'
import { splitByLargestRemainder, sum } from '#domain/money.ts'
import { formatDecimal4, parseDecimal4, toText } from '#domain/quantity.ts'
import { call, failureText, fieldErrors } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { MoneyField, QuantityField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Segmented } from '#kit/web/parts/Views.tsx'
import { go } from '#kit/web/routes/place.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { creditDocument, type DocumentAnswer } from '../../endpoints.ts'
import { pagePath } from '../../types/index.ts'
import { refreshDocuments } from './actions.tsx'
import { documentNoun } from '../nouns.ts'
import { documentName } from '../words.ts'
import type { DialogOf } from './Dialogs.tsx'
import { TakeList } from './TakeList.tsx'

type How = 'whole' | 'lines' | 'sum'
type Line = DocumentAnswer['lines'][number]

const leftOf = (line: Line): number => Math.max(0, parseDecimal4(line.left ?? '0') ?? 0)
/** About what so much of a line comes to, with VAT; the server says it to the agora. */
export const partOfLine = (line: Pick<Line, 'quantity' | 'totalAgorot'>, quantity: string | null): number => {
  const [part, whole] = [parseDecimal4(quantity ?? '0') ?? 0, parseDecimal4(line.quantity) ?? 0]
  return whole > 0 && part > 0 && part <= whole
    ? splitByLargestRemainder(line.totalAgorot, [part, whole - part])[0]!
    : 0
}

/** Credits an invoice: all that is left of it, by line and quantity, or a sum off the whole. */
export function CreditDialog({ document, onClose }: DialogOf) {
  const t = useWords()
  const form = useId()
  const today = useToday()
  const left = document.totals.totalAgorot - document.totals.creditedAgorot
  const [how, setHow] = useState<How>('whole')
  const [taken, setTaken] = useState<ReadonlyMap<number, string | null>>(new Map())
  const [agorot, setAgorot] = useState<number | null>(null)
  const [day, setDay] = useState<Day>(today)
  const [reason, setReason] = useState('')
  const [said, setSaid] = useState<Record<string, string | undefined>>({})
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const chosen = document.lines.filter((line) => (parseDecimal4(taken.get(line.line) ?? '0') ?? 0) > 0)
  // The last of the lines come to exactly what is left, whatever earlier credits were rounded to.
  const takesAll =
    how === 'lines' &&
    chosen.length > 0 &&
    document.lines.every((line) => (parseDecimal4(taken.get(line.line) ?? '0') ?? 0) === leftOf(line))
  const credits =
    how === 'whole' || takesAll
      ? left
      : how === 'sum'
        ? (agorot ?? 0)
        : sum(chosen.map((line) => partOfLine(line, taken.get(line.line) ?? null)))
  const isTooMuch = (line: Line) => (parseDecimal4(taken.get(line.line) ?? '0') ?? 0) > leftOf(line)
  const run = async (event: FormEvent) => {
    event.preventDefault()
    const wrong: Record<string, string | undefined> = {
      ...(reason.trim() === '' ? { reason: t('documents.credit.reasonNeeded') } : {}),
      ...(how === 'sum' && (agorot === null || agorot <= 0)
        ? { agorot: t('documents.credit.sumNeeded') }
        : {}),
      ...(how === 'sum' && (agorot ?? 0) > left ? { agorot: t('documents.credit.tooMuch') } : {}),
    }
    setSaid(wrong)
    setProblem(how === 'lines' && chosen.length === 0 ? t('documents.credit.linesNeeded') : undefined)
    if (Object.keys(wrong).length > 0 || (how === 'lines' && (chosen.length === 0 || chosen.some(isTooMuch))))
      return
    setBusy(true)
    try {
      const credit = await call(creditDocument, {
        id: document.id,
        reason: reason.trim(),
        ...(day === today ? {} : { date: day }),
        ...(how === 'sum' ? { agorot: agorot! } : {}),
        ...(how === 'lines'
          ? { lines: chosen.map((line) => ({ line: line.line, quantity: taken.get(line.line)! })) }
          : {}),
      })
      void refreshDocuments()
      onClose()
      go(pagePath(credit.type, credit.id))
      banner.success(
        t('documents.credit.done', { name: documentNoun(t, credit.type, credit.number) }),
        10_000,
      )
    } catch (e) {
      const { fields, rest } = fieldErrors(t, e, ['reason', 'agorot', 'date'])
      setSaid(fields)
      setProblem(rest ?? (Object.keys(fields).length > 0 ? undefined : failureText(t, e)))
      setBusy(false)
    }
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      form
      size={how === 'lines' ? 'l' : 'm'}
      title={t('documents.credit.title', { name: documentName(t, document.type, document.number) })}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.back')}
          </Button>
          <Button kind="primary" type="submit" form={form} busy={busy}>
            {t('documents.credit.do')}
          </Button>
        </>
      }
    >
      <form id={form} className="grid gap-4" onSubmit={(event) => void run(event)} noValidate>
        {problem && <Note tone="late">{problem}</Note>}
        <Segmented
          label={t('documents.credit.how')}
          value={how}
          onChange={setHow}
          options={(['whole', 'lines', 'sum'] as const).map((key) => ({
            key,
            label: t(`documents.credit.${key}`),
          }))}
        />
        {how === 'lines' && (
          <TakeList
            label={t('documents.make.lines')}
            head={t('documents.credit.quantityHead')}
            onAll={() =>
              setTaken(
                new Map(
                  document.lines.flatMap((line) =>
                    leftOf(line) > 0 ? [[line.line, toText(leftOf(line))] as const] : [],
                  ),
                ),
              )
            }
          >
            {document.lines.map((line) => (
              <div key={line.line} data-off={leftOf(line) === 0 ? '' : undefined}>
                <span className="grow">
                  <span className="n">
                    <bdi>{line.description}</bdi>
                  </span>
                  <span className="s">
                    {leftOf(line) === 0 ? (
                      t('documents.credit.credited')
                    ) : (
                      <>
                        {t('documents.make.left')} <Num>{formatDecimal4(leftOf(line))}</Num> ·{' '}
                        <Money amount={line.totalAgorot} currency={document.currency} />
                      </>
                    )}
                  </span>
                </span>
                <div className="w-24">
                  <QuantityField
                    hideLabel
                    label={t('documents.credit.quantity', { text: line.description })}
                    name="credit"
                    placeholder="0"
                    value={taken.get(line.line) ?? null}
                    disabled={leftOf(line) === 0}
                    onChange={(quantity) => setTaken((before) => new Map(before).set(line.line, quantity))}
                    error={isTooMuch(line) ? t('documents.make.tooMuch') : undefined}
                  />
                </div>
              </div>
            ))}
          </TakeList>
        )}
        {how === 'sum' && (
          <MoneyField
            label={t('documents.credit.agorot')}
            name="agorot"
            currency={document.currency}
            value={agorot}
            onChange={(next) => {
              setAgorot(next)
              setSaid((before) => ({ ...before, agorot: undefined }))
            }}
            error={said.agorot}
          />
        )}
        <div className="doc-running" aria-live="polite">
          <dl>
            <div>
              <dt>{t('documents.credit.credits')}</dt>
              <dd>
                <Money amount={credits} currency={document.currency} />
              </dd>
            </div>
            <div data-tone={credits > left ? 'late' : undefined}>
              <dt>{t('documents.credit.left')}</dt>
              <dd>
                <Money amount={left - credits} currency={document.currency} />
              </dd>
            </div>
          </dl>
        </div>
        <DayField
          label={t('documents.credit.day')}
          hint={t('documents.credit.dayHint')}
          name="date"
          value={day}
          onChange={(next) => {
            setDay(next ?? today)
            setSaid((before) => ({ ...before, date: undefined }))
          }}
          error={said.date}
        />
        <TextField
          label={t('documents.page.reason')}
          hint={t('documents.page.reasonHint')}
          name="reason"
          value={reason}
          onChange={(next) => {
            setReason(next)
            setSaid((before) => ({ ...before, reason: undefined }))
          }}
          error={said.reason}
          max={300}
        />
      </form>
    </Dialog>
  )
}
