import {
  CalendarDays,
  CalendarPlus,
  ChevronLeft,
  ChevronRight,
  Copy,
  HeartPulse,
  Link2Off,
  LogOut,
  Ticket,
} from 'lucide-react'
import { lazy, Suspense, useEffect, useState, type CSSProperties } from 'react'
import { addDays, momentAt, momentInJerusalem, type Day } from '#domain/day.ts'
import { formatDay, formatMoment, withCurrency } from '#domain/format.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { useNow } from '#kit/web/hooks/clock.ts'
import { dotted } from '#kit/web/words/dotted.ts'
import { call, CallFailure, failureText, queryClient, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { PhoneField } from '#kit/web/fields/ContactFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { fetchPart } from '#kit/web/calls/fetchPart.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { show } from '#kit/web/parts/shown.ts'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { BusinessPage } from '#kit/web/public/BusinessPage.tsx'
import { Lead } from '#kit/web/public/Lead.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { toast } from '#kit/web/parts/notices.ts'
import { store } from '#kit/web/session/storage.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { clockOf, minutesOf, weekdayName } from '#features/calendar/timetable/web/index.tsx'
import * as calls from '../endpoints.ts'
import type { MyBookings, ShownClass } from '../endpoints.ts'
import { saveCalendarFile } from './calendarFile.ts'
import './bookingPage.css'

type PageData = OutputOf<typeof calls.showBookingPage>

/** Who books in this browser, by the key of the page. */
const kept = (): Record<string, { token: string; name: string }> => {
  try {
    return JSON.parse(store.get('booker') ?? '{}') as Record<string, { token: string; name: string }>
  } catch {
    return {}
  }
}

/**
 * The page of a business on which anybody books: what there is and how many seats are free now, one's own
 * bookings and passes.
 */
export function Screen() {
  const t = useWords()
  const { lang } = useLanguage()
  const { params, query, setQuery } = usePlace()
  const key = params.key ?? ''
  const [from, setFrom] = useState<Day>()
  const asked = useCall(
    calls.showBookingPage,
    { key, lang, ...(from ? { from } : {}) },
    { placeholderData: (old) => old, refetchInterval: 60_000 },
  )
  const [who, setWho] = useState(() => kept()[key])
  const keep = (next: { token: string; name: string } | undefined) => {
    const all = kept()
    if (next) all[key] = next
    else delete all[key]
    store.set('booker', JSON.stringify(all))
    setWho(next)
  }
  return (
    <BusinessPage
      narrow
      asked={asked}
      pageKey={key}
      logo={calls.bookingLogo}
      title={() => t('screens.bookingPage')}
      missing={{ icon: Link2Off, title: t('bookingPage.missing'), text: t('bookingPage.missingText') }}
    >
      {(data) => (
        <>
          <Lead label={data.business.name} title={t('bookingPage.title', { name: data.business.name })}>
            {data.welcome && <p dir="auto">{data.welcome}</p>}
            <Views
              label={t('screens.bookingPage')}
              value={query.mine ? 'mine' : query.buy ? 'buy' : 'book'}
              onChange={(next) =>
                setQuery({ mine: next === 'mine' ? '1' : undefined, buy: next === 'buy' ? '1' : undefined })
              }
              views={[
                { key: 'book', label: t('bookingPage.book') },
                { key: 'mine', label: t('bookingPage.mine') },
                ...(data.passes.length ? [{ key: 'buy' as const, label: t('bookingPage.passes') }] : []),
              ]}
            />
          </Lead>
          {query.mine ? (
            who ? (
              <Mine of={data} pageKey={key} token={who.token} onOut={() => keep(undefined)} />
            ) : (
              <LogIn of={data} pageKey={key} onIn={keep} />
            )
          ) : query.buy ? (
            <Passes of={data} pageKey={key} who={who} onIn={keep} />
          ) : (
            <Book of={data} pageKey={key} who={who} onIn={keep} onFrom={setFrom} />
          )}
        </>
      )}
    </BusinessPage>
  )
}

type Who = { token: string; name: string } | undefined

/** A code by a short message in place of a password. */
function LogIn({
  of,
  pageKey,
  onIn,
}: {
  of: PageData
  pageKey: string
  onIn: (who: { token: string; name: string }) => void
}) {
  const t = useWords()
  return (
    <section className="bp-card">
      <h2>{t('bookingPage.who')}</h2>
      <p className="hint">{t('bookingPage.whoText')}</p>
      <div>
        <Button
          kind="primary"
          size="l"
          onPress={() =>
            show((close) => <CodeDialog of={of} pageKey={pageKey} onIn={onIn} onClose={close} />)
          }
        >
          {t('bookingPage.enter')}
        </Button>
      </div>
    </section>
  )
}

function CodeDialog({
  of,
  pageKey,
  onIn,
  onClose,
}: {
  of: PageData
  pageKey: string
  onIn: (who: { token: string; name: string }) => void
  onClose: () => void
}) {
  const t = useWords()
  const { lang } = useLanguage()
  const [phone, setPhone] = useState('')
  const [name, setName] = useState('')
  const [codeId, setCodeId] = useState<string>()
  const [code, setCode] = useState('')
  return (
    <FormDialog
      title={t(codeId ? 'bookingPage.codeTitle' : 'bookingPage.who')}
      verb={t(codeId ? 'bookingPage.enter' : 'bookingPage.sendCode')}
      names={['phone', 'name', 'code']}
      onClose={onClose}
      onSubmit={async () => {
        if (!codeId) {
          setCodeId((await call(calls.sendCode, { key: pageKey, phone, name, lang })).codeId)
          return
        }
        const who = await call(calls.verifyCode, { key: pageKey, codeId, code, name })
        onClose()
        onIn(who)
      }}
      key={codeId ? 'code' : 'phone'}
    >
      {(error) =>
        codeId ? (
          <TextField
            label={t('bookingPage.code')}
            ltr
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
            value={code}
            onChange={setCode}
            max={6}
            hint={t('bookingPage.codeHint')}
            {...error('code', code)}
          />
        ) : (
          <>
            <PhoneField
              label={t('bookingPage.phone')}
              value={phone}
              onChange={(next) => setPhone(next ?? '')}
              {...error('phone', phone)}
            />
            {of.newPeople && (
              <TextField
                label={t('bookingPage.name')}
                hint={t('bookingPage.nameHint')}
                value={name}
                onChange={setName}
                max={120}
                autoComplete="name"
                {...error('name', name)}
              />
            )}
          </>
        )
      }
    </FormDialog>
  )
}

/**
 * What was read before the action may be answered from then: it is read again, also where no answer has arrived yet.
 */
const refresh = () =>
  Promise.all(
    [calls.showBookingPage, calls.myBookings].map(async ({ name }) => {
      await queryClient.cancelQueries({ queryKey: [name] })
      await queryClient.invalidateQueries({ queryKey: [name] })
    }),
  )

function Book({
  of,
  pageKey,
  who,
  onIn,
  onFrom,
}: {
  of: PageData
  pageKey: string
  who: Who
  onIn: (who: { token: string; name: string }) => void
  onFrom: (from: Day | undefined) => void
}) {
  const t = useWords()
  const { lang } = useLanguage()
  const [kind, setKind] = useState<string | null>(null)
  const [trainer, setTrainer] = useState<string | null>(null)
  const [place, setPlace] = useState<string | null>(null)
  const kinds = [...new Map(of.classes.map((one) => [one.kindId, one.name])).entries()]
  const trainers = [
    ...new Map(
      of.classes.flatMap((one) => (one.trainerId ? [[one.trainerId, one.trainer!] as const] : [])),
    ).entries(),
  ]
  const places = [
    ...new Map(
      of.classes.flatMap((one) => (one.placeId ? [[one.placeId, one.place!] as const] : [])),
    ).entries(),
  ]
  // Where there is one alone, nothing is to choose.
  const filters = [
    { label: t('bookingPage.kind'), value: kind, onChange: setKind, among: kinds },
    { label: t('bookingPage.trainer'), value: trainer, onChange: setTrainer, among: trainers },
    { label: t('timetable.fields.place'), value: place, onChange: setPlace, among: places },
  ].filter(({ among }) => among.length > 1)
  const rows = of.classes.filter(
    (one) =>
      (!kind || one.kindId === kind) &&
      (!trainer || one.trainerId === trainer) &&
      (!place || one.placeId === place),
  )
  const days = [...new Set(rows.map(({ day }) => day))]
  const book = async (one: ShownClass, token: string) => {
    try {
      const { state, id } = await call(calls.bookOnPage, {
        key: pageKey,
        token,
        classId: one.id,
        wait: one.free === 0 || one.waiting > 0,
      })
      if (state === 'held') return await payHeld(pageKey, token, id)
      toast(
        t(state === 'waiting' ? 'bookingPage.waitingNow' : 'bookingPage.booked', {
          name: one.name,
          day: formatDay(one.day),
          at: one.at,
        }),
      )
    } catch (e) {
      told(t, e)
    }
    await refresh()
  }
  const enter = (one: ShownClass) =>
    who
      ? void book(one, who.token)
      : show((close) => (
          <CodeDialog
            of={of}
            pageKey={pageKey}
            onIn={(next) => (onIn(next), void book(one, next.token))}
            onClose={close}
          />
        ))
  const press = (one: ShownClass) =>
    costs(one)
      ? show((close) => <BookDialog one={one} onBook={() => enter(one)} onClose={close} />)
      : enter(one)
  return (
    <section className="bp-stack">
      {filters.length > 0 && (
        <div className="bp-two">
          {filters.map(({ label, value, onChange, among }) => (
            <ChoiceField
              key={label}
              label={label}
              as="list"
              clearable
              placeholder={t('bookingPage.any')}
              value={value}
              onChange={onChange}
              choices={among.map(([key, name]) => ({ value: key, label: name }))}
            />
          ))}
        </div>
      )}
      {of.appointments.map((one) => (
        <article key={one.kindId} className="bp-line">
          <span>
            <b dir="auto">{one.name}</b>
            <small>
              {t('bookingPage.minutes', { count: one.minutes })}
              {one.priceAgorot > 0 && ` · ${withCurrency(one.priceAgorot, 'ILS', lang)}`}
            </small>
          </span>
          <Button
            icon={CalendarPlus}
            onPress={() =>
              show((close) => (
                <SlotDialog of={of} one={one} pageKey={pageKey} who={who} onIn={onIn} onClose={close} />
              ))
            }
          >
            {t('bookingPage.chooseTime')}
          </Button>
        </article>
      ))}
      <div className="bp-head">
        <Button
          kind="quiet"
          icon={ChevronLeft}
          m
          label={t('timetable.before')}
          isDisabled={of.from <= of.today}
          onPress={() => onFrom(addDays(of.from, -14))}
        />
        <span className="num">
          {formatDay(of.from).slice(0, 5)} – {formatDay(of.to)}
        </span>
        <Button
          kind="quiet"
          icon={ChevronRight}
          m
          label={t('timetable.after')}
          onPress={() => onFrom(addDays(of.from, 14))}
        />
      </div>
      {isElsewhere() && <p className="hint">{t('bookingPage.zone')}</p>}
      {rows.length === 0 && (
        <EmptyState icon={CalendarDays} title={t('bookingPage.nothing')}>
          {t('bookingPage.nothingText')}
        </EmptyState>
      )}
      {days.map((day) => (
        <div key={day} className="bp-day">
          <h2>
            {weekdayName(lang, day, 'long')} <span className="num">{formatDay(day).slice(0, 5)}</span>
          </h2>
          {rows
            .filter((one) => one.day === day)
            .map((one) => (
              <article key={one.id} className="bp-line" style={{ '--color': one.color } as CSSProperties}>
                <span>
                  <b>
                    <span className="num">
                      {one.at}–{clockOf(minutesOf(one.at) + one.minutes)}
                    </span>{' '}
                    <bdi>{one.name}</bdi>
                  </b>
                  <small>
                    {dotted([
                      one.trainer,
                      one.place,
                      one.free > 0
                        ? t('bookingPage.free', { count: one.free })
                        : one.waiting
                          ? t('bookingPage.fullWaiting', { count: one.waiting })
                          : t('bookingPage.full'),
                      one.priceAgorot ? withCurrency(one.priceAgorot, 'ILS', lang) : '',
                    ])}
                  </small>
                </span>
                {one.isBookable ? (
                  <Button
                    kind={one.free > 0 && one.waiting === 0 ? 'soft' : 'plain'}
                    onPress={() => press(one)}
                    label={`${t(one.free > 0 && one.waiting === 0 ? 'bookingPage.take' : 'bookingPage.wait')}: ${one.name} ${one.at}`}
                  >
                    {t(one.free > 0 && one.waiting === 0 ? 'bookingPage.take' : 'bookingPage.wait')}
                  </Button>
                ) : (
                  <span className="hint">{t('bookingPage.notYet')}</span>
                )}
              </article>
            ))}
        </div>
      ))}
    </section>
  )
}

/** Whether this browser's clock shows another hour than Israel's. */
const isElsewhere = (): boolean => {
  const now = new Date()
  return (
    momentInJerusalem(now).time !==
    `${String(now.getHours()).padStart(2, '0')}:${String(now.getMinutes()).padStart(2, '0')}`
  )
}

/** The moment at which a clock in Israel shows this. */
const beginOf = (day: Day, at: string): Date =>
  new Date(momentAt(day, Number(at.slice(0, 2))).getTime() + Number(at.slice(3)) * 60_000)

type Rules = Pick<ShownClass, 'cancelHours' | 'lateFeeAgorot' | 'noShowFeeAgorot' | 'strikes' | 'priceAgorot'>

/** Whether booking may come to cost something. */
const costs = ({ priceAgorot, cancelHours, noShowFeeAgorot, strikes }: Rules): boolean =>
  priceAgorot > 0 || cancelHours > 0 || noShowFeeAgorot > 0 || strikes !== null

/** What is paid and what cancelling costs, before it is booked. `startsAt`: of a time that was chosen. */
function RulesOf({ of, startsAt }: { of: Rules; startsAt: Date | undefined }) {
  const t = useWords()
  const now = useNow()
  const { lang } = useLanguage()
  const sum = (agorot: number) => withCurrency(agorot, 'ILS', lang)
  const freeUntil = startsAt && new Date(startsAt.getTime() - of.cancelHours * 3_600_000)
  return (
    <ul className="bp-rules">
      {of.priceAgorot > 0 && <li>{t('bookingPage.pays', { sum: sum(of.priceAgorot) })}</li>}
      <li>
        {!freeUntil
          ? t('bookingPage.rules.hours', { count: of.cancelHours })
          : freeUntil > now
            ? t('bookingPage.rules.free', { at: formatMoment(freeUntil) })
            : t('bookingPage.rules.over')}
      </li>
      {of.cancelHours > 0 && (
        <li>
          {of.lateFeeAgorot > 0
            ? t('bookingPage.rules.lateFee', { sum: sum(of.lateFeeAgorot) })
            : t('bookingPage.rules.late')}
        </li>
      )}
      {of.noShowFeeAgorot > 0 && <li>{t('bookingPage.rules.noShow', { sum: sum(of.noShowFeeAgorot) })}</li>}
      {of.strikes !== null && <li>{t('bookingPage.rules.strikes', { count: of.strikes })}</li>}
    </ul>
  )
}

/** A class before it is booked: when it is and what it comes to. */
function BookDialog({ one, onBook, onClose }: { one: ShownClass; onBook: () => void; onClose: () => void }) {
  const t = useWords()
  const { lang } = useLanguage()
  return (
    <FormDialog
      title={<bdi>{one.name}</bdi>}
      verb={t(one.free > 0 && one.waiting === 0 ? 'bookingPage.take' : 'bookingPage.wait')}
      names={[]}
      onClose={onClose}
      onSubmit={async () => {
        onClose()
        onBook()
      }}
    >
      {() => (
        <>
          <p>
            {weekdayName(lang, one.day, 'long')} <span className="num">{formatDay(one.day)}</span>{' '}
            <span className="num">
              {one.at}–{clockOf(minutesOf(one.at) + one.minutes)}
            </span>
            {(one.trainer || one.place) && ` · ${dotted([one.trainer, one.place])}`}
          </p>
          <RulesOf of={one} startsAt={beginOf(one.day, one.at)} />
        </>
      )}
    </FormDialog>
  )
}

/** The text of a refusal here; a personal reason is known to the desk. */
function told(t: ReturnType<typeof useWords>, e: unknown): void {
  if (e instanceof CallFailure && e.code === 'bookings.refused')
    banner.error(
      t(
        String(e.params.reasons).split(',').includes('health')
          ? 'bookingPage.needHealth'
          : 'bookingPage.askDesk',
      ),
    )
  else banner.error(failureText(t, e))
}

function SlotDialog({
  of,
  one,
  pageKey,
  who,
  onIn,
  onClose,
}: {
  of: PageData
  one: PageData['appointments'][number]
  pageKey: string
  who: Who
  onIn: (who: { token: string; name: string }) => void
  onClose: () => void
}) {
  const t = useWords()
  const { lang } = useLanguage()
  const [day, setDay] = useState<Day>(of.today)
  const [trainer, setTrainer] = useState<string | null>(null)
  const [slot, setSlot] = useState<string | null>(null)
  const { data } = useCall(
    calls.slotsOnPage,
    { key: pageKey, kindId: one.kindId, day, ...(trainer ? { trainerId: trainer } : {}) },
    { staleTime: 0 },
  )
  const rows = data?.rows ?? []
  const send = async (token: string) => {
    const chosen = rows.find(({ at }) => at === slot)
    try {
      const { state, id } = await call(calls.appointOnPage, {
        key: pageKey,
        token,
        kindId: one.kindId,
        trainerId: chosen?.trainerId ?? '',
        day,
        at: slot ?? '',
      })
      if (state === 'held') return await payHeld(pageKey, token, id)
      toast(t('bookingPage.booked', { name: one.name, day: formatDay(day), at: slot ?? '' }))
    } catch (e) {
      told(t, e)
    }
    await refresh()
  }
  return (
    <FormDialog
      title={<bdi>{one.name}</bdi>}
      verb={t('bookingPage.take')}
      names={[]}
      isDisabled={slot === null}
      onClose={onClose}
      onSubmit={async () => {
        onClose()
        if (who) await send(who.token)
        else
          show((close) => (
            <CodeDialog
              of={of}
              pageKey={pageKey}
              onIn={(next) => (onIn(next), void send(next.token))}
              onClose={close}
            />
          ))
      }}
    >
      {() => (
        <>
          {one.about && <p dir="auto">{one.about}</p>}
          {one.trainers.length > 1 && (
            <ChoiceField
              label={t('bookingPage.trainer')}
              as="list"
              clearable
              placeholder={t('bookingPage.any')}
              value={trainer}
              onChange={(next) => (setTrainer(next), setSlot(null))}
              choices={one.trainers.map(({ id, name }) => ({ value: id, label: name }))}
            />
          )}
          <div className="bp-head">
            <Button
              kind="quiet"
              icon={ChevronLeft}
              m
              label={t('timetable.before')}
              isDisabled={day <= of.today}
              onPress={() => (setDay(addDays(day, -1)), setSlot(null))}
            />
            <span>
              {weekdayName(lang, day, 'long')} <span className="num">{formatDay(day)}</span>
            </span>
            <Button
              kind="quiet"
              icon={ChevronRight}
              m
              label={t('timetable.after')}
              onPress={() => (setDay(addDays(day, 1)), setSlot(null))}
            />
          </div>
          {rows.length === 0 ? (
            <p className="hint">{t('bookingPage.noSlots')}</p>
          ) : (
            <ChoiceField
              label={t('bookingPage.hour')}
              as="list"
              value={slot}
              onChange={setSlot}
              choices={rows.map(({ at }) => ({ value: at, label: at }))}
            />
          )}
          {costs(one) && <RulesOf of={one} startsAt={slot === null ? undefined : beginOf(day, slot)} />}
        </>
      )}
    </FormDialog>
  )
}

/** The seat is held for as long as the payment takes. */
async function payHeld(key: string, token: string, bookingId: string): Promise<void> {
  location.assign((await call(calls.payOnPage, { key, token, bookingId })).url)
}

function Mine({
  of,
  pageKey,
  token,
  onOut,
}: {
  of: PageData
  pageKey: string
  token: string
  onOut: () => void
}) {
  const t = useWords()
  const { lang } = useLanguage()
  const { data, error } = useCall(calls.myBookings, { key: pageKey, token }, { refetchInterval: 25_000 })
  useEffect(() => {
    if (error instanceof CallFailure && error.code === 'bookingPage.logInAgain') onOut()
  }, [error, onOut])
  if (!data) return null
  const pay = (what: { bookingId?: string; passKindId?: string }) =>
    void call(calls.payOnPage, { key: pageKey, token, ...what })
      .then(({ url }) => location.assign(url))
      .catch((e: unknown) => told(t, e))
  const did = (work: Promise<unknown>) => void work.then(refresh).catch((e: unknown) => told(t, e))
  const ahead = data.bookings.filter(({ isPast }) => !isPast)
  const past = data.bookings.filter(({ isPast }) => isPast)
  const health = data.needsHealth && (data.healthUntil ?? '') < of.today
  return (
    <section className="bp-stack">
      <div className="bp-head">
        <b>
          <bdi>{t('bookingPage.hello', { name: data.name })}</bdi>
        </b>
        <span className="bp-deeds">
          <Button
            size="s"
            kind="quiet"
            icon={CalendarPlus}
            onPress={() => show((close) => <FeedDialog pageKey={pageKey} token={token} onClose={close} />)}
          >
            {t('bookingPage.feed')}
          </Button>
          <Button size="s" kind="quiet" icon={LogOut} onPress={onOut}>
            {t('bookingPage.out')}
          </Button>
        </span>
      </div>
      {health && (
        <Note
          tone="wait"
          icon={HeartPulse}
          action={
            <Button
              size="s"
              onPress={() =>
                void call(calls.healthOnPage, { key: pageKey, token })
                  .then(({ url }) => location.assign(url))
                  .catch((e: unknown) => told(t, e))
              }
            >
              {t('bookingPage.health')}
            </Button>
          }
        >
          {t('bookingPage.needHealth')}
        </Note>
      )}
      {data.refusals.some((one) => one !== 'health') && <Note tone="wait">{t('bookingPage.askDesk')}</Note>}
      {data.passes.map((pass) => (
        <p key={pass.id} className="bp-pass">
          <Ticket size={16} aria-hidden /> <bdi>{pass.name}</bdi> ·{' '}
          {pass.left === null ? t('passes.unlimited') : t('passes.left', { count: pass.left })} ·{' '}
          {t('passes.until', { day: formatDay(pass.toDay) })}{' '}
          {pass.state !== 'active' && <StatusPill tone="wait">{t(`passes.state.${pass.state}`)}</StatusPill>}
        </p>
      ))}
      {ahead.length === 0 && (
        <EmptyState icon={CalendarDays} title={t('bookingPage.noneBooked')}>
          {t('bookingPage.noneBookedText')}
        </EmptyState>
      )}
      {ahead.map((one) => (
        <article key={one.id} className="bp-card">
          <div className="bp-head">
            <b>
              <bdi>{one.name}</bdi>
            </b>
            <StatusPill
              tone={
                one.state === 'booked' || one.state === 'came'
                  ? 'done'
                  : one.state === 'offered' || one.state === 'held'
                    ? 'wait'
                    : 'plain'
              }
            >
              {t(`bookings.state.${one.state}`)}
            </StatusPill>
          </div>
          <p>
            {weekdayName(lang, one.day, 'long')} <span className="num">{formatDay(one.day)}</span>{' '}
            <span className="num">{one.at}</span>
            {(one.trainer || one.place) && ` · ${dotted([one.trainer, one.place])}`}
          </p>
          {one.state === 'offered' && one.untilAt && (
            <Note tone="wait">{t('bookingPage.offered', { at: formatMoment(new Date(one.untilAt)) })}</Note>
          )}
          {one.state === 'held' && one.untilAt && (
            <Note tone="wait">{t('bookingPage.held', { at: formatMoment(new Date(one.untilAt)) })}</Note>
          )}
          {one.queue && <p className="hint">{t('bookings.queue', { place: one.queue })}</p>}
          {one.passName && <p className="hint">{one.passName}</p>}
          {one.state === 'booked' && (
            <p className="hint">
              {one.isLate
                ? t('bookingPage.rules.over')
                : t('bookingPage.rules.free', { at: formatMoment(new Date(one.freeUntil)) })}
            </p>
          )}
          {one.code && <Code text={one.code} />}
          <div className="bp-deeds">
            {one.state === 'offered' && (
              <Button
                kind="primary"
                onPress={() =>
                  did(
                    call(calls.confirmOnPage, { key: pageKey, token, id: one.id }).then(({ state }) =>
                      state === 'held' ? payHeld(pageKey, token, one.id) : undefined,
                    ),
                  )
                }
              >
                {t('bookingPage.take')}
              </Button>
            )}
            {one.toPayAgorot > 0 && of.paysOnline && (
              <Button kind="soft" onPress={() => pay({ bookingId: one.id })}>
                {t('bookingPage.pay', { sum: withCurrency(one.toPayAgorot, 'ILS', lang) })}
              </Button>
            )}
            {one.state === 'booked' && (
              <Button
                kind="quiet"
                icon={CalendarPlus}
                onPress={() => saveCalendarFile(one, of.business.name)}
              >
                {t('bookingPage.toCalendar')}
              </Button>
            )}
            {['booked', 'waiting', 'offered', 'held'].includes(one.state) && (
              <Button
                kind="quiet"
                onPress={() =>
                  show((close) => <CancelDialog of={one} pageKey={pageKey} token={token} onClose={close} />)
                }
              >
                {t('bookings.cancel')}
              </Button>
            )}
          </div>
        </article>
      ))}
      {past.length > 0 && (
        <details>
          <summary>{t('bookingPage.past', { count: past.length })}</summary>
          <ul className="bp-past">
            {past.map((one) => (
              <li key={one.id}>
                <span className="num">{formatDay(one.day)}</span> <bdi>{one.name}</bdi> ·{' '}
                {t(`bookings.state.${one.state}`)}
                {one.toPayAgorot > 0 && of.paysOnline && (
                  <button type="button" className="link aim" onClick={() => pay({ bookingId: one.id })}>
                    {t('bookingPage.pay', { sum: withCurrency(one.toPayAgorot, 'ILS', lang) })}
                  </button>
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

/** The address under which a calendar of one's own reads one's bookings; it is shown once. */
function FeedDialog({ pageKey, token, onClose }: { pageKey: string; token: string; onClose: () => void }) {
  const t = useWords()
  const copy = useCopy()
  const [url, setUrl] = useState<string>()
  const make = () =>
    void call(calls.feedOnPage, { key: pageKey, token })
      .then((made) => setUrl(made.url))
      .catch((e: unknown) => told(t, e))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('timetable.feed.title')}
      actions={
        url ? (
          <>
            <Button
              kind="quiet"
              icon={CalendarPlus}
              onPress={() => location.assign(url.replace(/^https?:/, 'webcal:'))}
            >
              {t('bookingPage.feedOpen')}
            </Button>
            <Button kind="primary" icon={Copy} onPress={() => copy(url)}>
              {t('timetable.copy')}
            </Button>
          </>
        ) : (
          <Button kind="primary" onPress={make}>
            {t('timetable.feed.make')}
          </Button>
        )
      }
    >
      <div className="bp-stack">
        <p>{t('bookingPage.feedText')}</p>
        {url && (
          <TextField label={t('timetable.feed.url')} value={url} onChange={() => undefined} readOnly ltr />
        )}
      </div>
    </Dialog>
  )
}

const Qr = lazy(() => fetchPart(() => import('#kit/web/parts/Qr.tsx')).then((part) => ({ default: part.Qr })))

/** What is shown at the desk: a picture that a reader reads; it changes every half minute. */
function Code({ text }: { text: string }) {
  const t = useWords()
  return (
    <figure className="bp-code">
      <Suspense fallback={<span />}>
        <Qr text={text} label={t('bookingPage.codeShow')} />
      </Suspense>
      <figcaption className="hint">{t('bookingPage.codeShow')}</figcaption>
    </figure>
  )
}

function CancelDialog({
  of,
  pageKey,
  token,
  onClose,
}: {
  of: MyBookings['bookings'][number]
  pageKey: string
  token: string
  onClose: () => void
}) {
  const t = useWords()
  const { lang } = useLanguage()
  const [late, setLate] = useState(of.isLate)
  return (
    <FormDialog
      title={t('bookingPage.cancelAsk', { name: of.name })}
      verb={t('bookings.cancel')}
      danger
      names={[]}
      onClose={onClose}
      onSubmit={async () => {
        try {
          await call(calls.cancelOnPage, { key: pageKey, token, id: of.id, late })
        } catch (e) {
          // The hour has passed meanwhile: the price is shown before the button works again.
          if (e instanceof CallFailure && e.code === 'bookings.lateNow') setLate(true)
          throw e
        }
        await refresh()
        onClose()
      }}
    >
      {() => (
        <p>
          {late
            ? t('bookings.costsLate', {
                sum: withCurrency(of.feeAgorot, 'ILS', lang),
                pass: of.passName ? 'yes' : 'no',
              })
            : t('bookingPage.cancelFree')}
        </p>
      )}
    </FormDialog>
  )
}

function Passes({
  of,
  pageKey,
  who,
  onIn,
}: {
  of: PageData
  pageKey: string
  who: Who
  onIn: (who: { token: string; name: string }) => void
}) {
  const t = useWords()
  const { lang } = useLanguage()
  const buy = (passKindId: string, token: string) =>
    void call(calls.payOnPage, { key: pageKey, token, passKindId })
      .then(({ url }) => location.assign(url))
      .catch((e: unknown) => told(t, e))
  return (
    <section className="bp-stack">
      {!of.paysOnline && <Note>{t('bookingPage.atDesk')}</Note>}
      {of.passes.map((one) => (
        <article key={one.id} className="bp-line">
          <span>
            <b dir="auto">{one.name}</b>
            <small>
              {one.visits === null ? t('passes.unlimited') : t('passes.visits', { count: one.visits })} ·{' '}
              {t('passes.days', { count: one.days })} · {withCurrency(one.priceAgorot, 'ILS', lang)}
            </small>
            {one.about && (
              <small>
                <bdi>{one.about}</bdi>
              </small>
            )}
          </span>
          {of.paysOnline && one.priceAgorot > 0 && (
            <Button
              kind="soft"
              onPress={() =>
                who
                  ? buy(one.id, who.token)
                  : show((close) => (
                      <CodeDialog
                        of={of}
                        pageKey={pageKey}
                        onIn={(next) => (onIn(next), buy(one.id, next.token))}
                        onClose={close}
                      />
                    ))
              }
            >
              {t('bookingPage.buy')}
            </Button>
          )}
        </article>
      ))}
    </section>
  )
}
