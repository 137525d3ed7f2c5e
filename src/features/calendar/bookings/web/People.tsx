import { Check, Banknote, Clock, Ellipsis, MessageCircle, Undo2, X } from 'lucide-react'
import { useState } from 'react'
import { formatMoment, withCurrency } from '#domain/format.ts'
import { dotted } from '#kit/web/words/dotted.ts'
import { call, CallFailure, failureText, useCall } from '#kit/web/calls/call.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Menu, type MenuEntry } from '#kit/web/parts/Menu.tsx'
import { show } from '#kit/web/parts/shown.ts'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { go } from '#kit/web/routes/place.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords, type Words } from '#kit/web/words/words.tsx'
import { refreshClasses } from '#features/calendar/timetable/web/index.tsx'
import { HoursDialog } from './HoursDialog.tsx'
import {
  bookingMessage,
  cancelBooking,
  cancelCost,
  chargeBooking,
  confirmBooking,
  markBooking,
  type BookingView,
} from '../endpoints.ts'
import './bookings.css'

const tones: Record<BookingView['state'], StatusTone> = {
  came: 'done',
  booked: 'info',
  held: 'wait',
  offered: 'wait',
  waiting: 'plain',
  missed: 'late',
  late: 'late',
  cancelled: 'plain',
}

/** What prevents entry, in words. */
export const refusalText = (t: Words, reasons: readonly string[]): string =>
  reasons.map((one) => t(`bookings.refusal.${one}`)).join(', ')

/**
 * Checks a customer in; where something prevents it, the reason is shown, and people with the right may confirm
 * entry with a reason.
 */
export async function mark(
  t: Words,
  id: string,
  state: 'came' | 'missed' | 'booked',
  by: (override: string) => Promise<unknown> = (override) => call(markBooking, { id, state, override }),
  name = '',
): Promise<void> {
  try {
    await by('')
    await refreshClasses()
  } catch (e) {
    const reasons = reasonsOf(e)
    if (reasons) show((close) => <OverrideDialog name={name} reasons={reasons} run={by} onClose={close} />)
    else banner.error(failureText(t, e))
  }
}

/** The reasons in a refusal to check somebody in. */
export const reasonsOf = (e: unknown): string[] | undefined =>
  e instanceof CallFailure && e.code === 'bookings.refused' ? String(e.params.reasons).split(',') : undefined

export function OverrideDialog({
  name,
  reasons,
  run,
  onClose,
}: {
  /** Who is meant, where the screen doesn't say it. */
  name?: string | undefined
  reasons: readonly string[]
  run: (override: string) => Promise<unknown>
  onClose: () => void
}) {
  const t = useWords()
  const may = useCan()('calendar.override')
  const [why, setWhy] = useState('')
  return (
    <FormDialog
      title={t('bookings.stands', { reasons: refusalText(t, reasons) })}
      verb={may ? t('bookings.letIn') : undefined}
      isDisabled={why.trim() === ''}
      names={['override']}
      onClose={onClose}
      onSubmit={async () => {
        await run(why.trim())
        await refreshClasses()
        onClose()
      }}
    >
      {(error) => (
        <>
          {name && (
            <p>
              <b dir="auto">{name}</b>
            </p>
          )}
          {may ? (
            <TextField
              label={t('bookings.overrideWhy')}
              value={why}
              onChange={setWhy}
              max={200}
              {...error('override', why)}
            />
          ) : (
            <p>{t('bookings.askSomebody')}</p>
          )}
        </>
      )}
    </FormDialog>
  )
}

/** Everybody of a class: came or not by one tap, the rest behind the dots. */
export function People({
  people,
  marking = 'desk',
  appointment = false,
  onMark,
}: {
  people: readonly BookingView[]
  marking?: 'desk' | 'own'
  /** Of an appointment, whose hours can go onto an invoice. */
  appointment?: boolean
  onMark?: (one: BookingView, state: 'came' | 'missed' | 'booked', override: string) => Promise<unknown>
}) {
  const t = useWords()
  const { lang } = useLanguage()
  const can = useCan()
  const desk = can('calendar.desk') && marking === 'desk'
  const bills = can('documents.draft')
  const press = (one: BookingView, state: 'came' | 'missed' | 'booked') =>
    void mark(t, one.id, state, onMark && ((override) => onMark(one, state, override)), one.customerName)
  return (
    <ul className="bk-people">
      {people.map((one) => {
        const isIn = ['booked', 'came', 'missed', 'held', 'offered'].includes(one.state)
        const more: MenuEntry[] = [
          ...(one.state === 'offered' || one.state === 'held' || one.state === 'waiting'
            ? [
                {
                  key: 'confirm',
                  label: t('bookings.confirm'),
                  icon: Check,
                  onPress: () => did(t, call(confirmBooking, { id: one.id })),
                },
              ]
            : []),
          ...(one.state === 'came' || one.state === 'missed'
            ? [{ key: 'undo', label: t('bookings.unmark'), icon: Undo2, onPress: () => press(one, 'booked') }]
            : []),
          ...(!one.isPaid || one.documentId
            ? [
                {
                  key: 'charge',
                  label: t(one.documentId ? 'bookings.paper' : 'bookings.charge'),
                  icon: Banknote,
                  onPress: () => void charge(t, one),
                },
              ]
            : []),
          ...(bills && appointment
            ? [
                {
                  key: 'hours',
                  label: t('bookings.hours.title'),
                  icon: Clock,
                  onPress: () =>
                    show((close) => (
                      <HoursDialog customerId={one.customerId} name={one.customerName} onClose={close} />
                    )),
                },
              ]
            : []),
          ...(one.phone && ['booked', 'held', 'offered'].includes(one.state)
            ? [
                {
                  key: 'whatsApp',
                  label: t('bookings.whatsApp'),
                  icon: MessageCircle,
                  onPress: () => void whatsApp(t, one),
                },
              ]
            : []),
          ...(['booked', 'held', 'offered', 'waiting'].includes(one.state)
            ? [
                {
                  key: 'cancel',
                  label: t('bookings.cancel'),
                  icon: X,
                  onPress: () => show((close) => <CancelDialog of={one} onClose={close} />),
                },
              ]
            : []),
        ]
        return (
          <li key={one.id}>
            <span className="who">
              <b dir="auto" className="cut">
                {one.customerName}
              </b>
              <small>
                {dotted([
                  one.pays === 'pass'
                    ? one.passLeft === null
                      ? one.passName
                      : t('bookings.byPass', { name: one.passName ?? '', count: one.passLeft })
                    : t(`bookings.pays.${one.pays}`),
                  one.pays === 'price' && one.priceAgorot ? withCurrency(one.priceAgorot, 'ILS', lang) : '',
                  one.feeAgorot ? t('bookings.fee', { sum: withCurrency(one.feeAgorot, 'ILS', lang) }) : '',
                  one.isPaid ? '' : t('bookings.unpaid'),
                  one.place ? t('bookings.queue', { place: one.place }) : '',
                  one.untilAt ? t('bookings.until', { at: formatMoment(new Date(one.untilAt)) }) : '',
                ])}
              </small>
              {one.refusals.length > 0 && one.state !== 'came' && (
                <small className="stop">{refusalText(t, one.refusals)}</small>
              )}
            </span>
            <StatusPill tone={tones[one.state]}>{t(`bookings.state.${one.state}`)}</StatusPill>
            <span className="deeds">
              {isIn && (desk || onMark) && (
                <>
                  <Button
                    size="s"
                    kind={one.state === 'came' ? 'soft' : 'plain'}
                    icon={Check}
                    pressed={one.state === 'came'}
                    onPress={() => press(one, one.state === 'came' ? 'booked' : 'came')}
                  >
                    {t('bookings.came')}
                  </Button>
                  <Button
                    size="s"
                    kind="quiet"
                    icon={X}
                    label={t('bookings.missedOf', { name: one.customerName })}
                    pressed={one.state === 'missed'}
                    onPress={() => press(one, one.state === 'missed' ? 'booked' : 'missed')}
                  />
                </>
              )}
              {desk && more.length > 0 && (
                <Menu
                  trigger={
                    <Button
                      size="s"
                      kind="quiet"
                      icon={Ellipsis}
                      label={t('bookings.moreOf', { name: one.customerName })}
                    />
                  }
                  items={more}
                />
              )}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

const did = (t: Words, work: Promise<unknown>) =>
  void work.then(() => refreshClasses()).catch((e: unknown) => banner.error(failureText(t, e)))

async function charge(t: Words, one: BookingView): Promise<void> {
  try {
    const documentId = one.documentId ?? (await call(chargeBooking, { id: one.id })).documentId
    void refreshClasses()
    go(`/invoice/preview/${documentId}`)
  } catch (e) {
    banner.error(failureText(t, e))
  }
}

/** WhatsApp with the message of the booking ready in it; the sender presses send there. */
async function whatsApp(t: Words, one: BookingView): Promise<void> {
  try {
    const { url } = await call(bookingMessage, { id: one.id })
    window.open(url, '_blank', 'noopener,noreferrer')
  } catch (e) {
    banner.error(failureText(t, e))
  }
}

/** What cancelling costs is said before it is done. */
export function CancelDialog({ of, onClose }: { of: BookingView; onClose: () => void }) {
  const t = useWords()
  const { lang } = useLanguage()
  const { data } = useCall(cancelCost, { id: of.id }, { staleTime: 0 })
  const [waive, setWaive] = useState(false)
  const late = Boolean(data?.isLate) && of.state === 'booked' && of.pays !== 'free'
  return (
    <FormDialog
      title={t('bookings.cancelOf', { name: of.customerName })}
      verb={t('bookings.cancel')}
      danger
      names={[]}
      isDisabled={!data}
      onClose={onClose}
      onSubmit={async () => {
        await call(cancelBooking, { id: of.id, waive })
        await refreshClasses()
        onClose()
      }}
    >
      {() => (
        <>
          <p>
            {!data
              ? '…'
              : late
                ? t('bookings.costsLate', {
                    sum: withCurrency(data.feeAgorot, 'ILS', lang),
                    pass: of.pays === 'pass' ? 'yes' : 'no',
                  })
                : t('bookings.costsNothing', {
                    at: data.isLate ? 'none' : formatMoment(new Date(data.freeUntil)),
                  })}
          </p>
          {late && <FlagField label={t('bookings.waive')} value={waive} onChange={setWaive} />}
        </>
      )}
    </FormDialog>
  )
}
