import { useState } from 'react'
import { weekday, type Day } from '#domain/day.ts'
import { call, CallFailure, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField, WholeField } from '#kit/web/fields/NumberFields.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Chip } from '#kit/web/parts/Status.tsx'
import { callsOf, refreshResource, searchIn } from '#kit/web/screens/resources.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useCan } from '#kit/web/session/session.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { addDays } from '#domain/day.ts'
import { changeClass, checkClass, createClass, type ClassView } from '../endpoints.ts'
import { classGroups, classKinds, classPlaces, classTrainers } from '../timetable.ts'
import { clockOf, wallOf, weekdayName } from './days.ts'
import { refreshClasses } from './shared.ts'
import './timetable.css'

interface Named {
  key: string
  label: string
}
/** The key of a type that is made together with the class. */
const NEW = 'new'
const clock = /^([01]\d|2[0-3]):[0-5]\d$/
/** 9, 930 and 9:30 are hours, too. */
const asClock = (text: string): string => {
  const digits = text.replace(/[^\d]/g, '')
  if (!/^\d{1,4}$/.test(digits)) return text
  const [hour, minute] =
    digits.length <= 2 ? [Number(digits), 0] : [Number(digits.slice(0, -2)), Number(digits.slice(-2))]
  return hour < 24 && minute < 60 ? clockOf(hour * 60 + minute) : text
}

export function TimeField({
  label,
  value,
  onChange,
  error,
  ...more
}: {
  label: string
  value: string
  onChange: (at: string) => void
  error?: string
  optional?: boolean
}) {
  return (
    <TextField
      label={label}
      ltr
      inputMode="numeric"
      value={value}
      onChange={onChange}
      onBlur={() => onChange(asClock(value))}
      max={5}
      {...(error ? { error } : {})}
      {...more}
    />
  )
}

export interface ClassDialogProps {
  /** A new one begins here. */
  start?: {
    day: Day
    at: string
    minutes?: number
    trainerId?: string | undefined
    placeId?: string | undefined
  }
  /** One that is there. */
  of?: ClassView
  onClose: () => void
}

/**
 * A class that is made or changed: what it collides with is said while it is filled in, before anything is
 * kept.
 */
export function ClassDialog({ start, of, onClose }: ClassDialogProps) {
  const t = useWords()
  const { lang } = useLanguage()
  const [kind, setKind] = useState<Named | null>(of ? { key: of.kindId, label: of.kindName } : null)
  const [isAppointment, setAppointment] = useState(false)
  const [isPublic, setPublic] = useState(true)
  const mayMake = useCan()(classKinds.allow.change)
  const known = useCall(callsOf(classKinds).list, { size: 1 }, { enabled: !of && mayMake })
  // The first class of a business is of no type that is there.
  const isFirst = !of && mayMake && known.data?.rows.length === 0
  const isNew = isFirst || kind?.key === NEW
  const [day, setDay] = useState<Day | null>(of?.day ?? start?.day ?? null)
  const [at, setAt] = useState(of?.at ?? start?.at ?? '09:00')
  const [minutes, setMinutes] = useState<number | null>(of?.minutes ?? start?.minutes ?? null)
  const [seats, setSeats] = useState<number | null>(of?.seats ?? null)
  const [price, setPrice] = useState<number | null>(of?.priceAgorot ?? null)
  const [trainer, setTrainer] = useState<Named | null>(
    of?.trainerId ? { key: of.trainerId, label: of.trainerName ?? '' } : null,
  )
  const [place, setPlace] = useState<Named | null>(
    of?.placeId ? { key: of.placeId, label: of.placeName ?? '' } : null,
  )
  const [group, setGroup] = useState<Named | null>(null)
  const [title, setTitle] = useState(of?.title ?? '')
  const [notes, setNotes] = useState(of?.notes ?? '')
  const [repeats, setRepeats] = useState<'none' | 'week' | 'day' | 'month'>('none')
  const [every, setEvery] = useState<number | null>(1)
  const [days, setDays] = useState<number[]>([])
  const [until, setUntil] = useState<Day | null>(null)
  const [following, setFollowing] = useState(false)
  const [anyway, setAnyway] = useState(false)
  const kindFacts = useCall(callsOf(classKinds).get, { id: kind?.key ?? '' } as never, {
    enabled: kind !== null && kind.key !== NEW,
  })
  const facts = kindFacts.data as
    | { minutes: number; seats: number; priceAgorot: number | null; isAppointment: boolean }
    | undefined
  const long = minutes ?? facts?.minutes ?? 60
  const [trainerId, placeId] = [trainer?.key ?? null, place?.key ?? null]
  const checked = useCall(
    checkClass,
    {
      day: day ?? '2000-01-01',
      at,
      minutes: long,
      trainerId,
      placeId,
      kindId: isNew ? null : (kind?.key ?? null),
      ...(seats ? { seats } : {}),
      ...(of ? { except: of.id } : {}),
    },
    {
      enabled:
        day !== null && clock.test(at) && (trainer !== null || place !== null) && long >= 5 && long <= 1440,
      staleTime: 0,
    },
  )
  const hits = trainer || place ? (checked.data?.rows ?? []) : []
  const time = (moment: string) => clockOf(wallOf(new Date(moment)).minute)
  /** The type of the class; one that is new is made first, and stays when the class is refused. */
  const kindToUse = async (): Promise<string> => {
    if (!isNew) return kind?.key ?? ''
    const made = await call(callsOf(classKinds).create, {
      name: kind?.label ?? '',
      isAppointment,
      isPublic,
      minutes: long,
      ...(seats && !isAppointment ? { seats } : {}),
      ...(price !== null ? { priceAgorot: price } : {}),
    } as never)
    setKind({ key: made.id, label: String(made.name) })
    await refreshResource(classKinds)
    return made.id
  }
  const names = [
    'name',
    'kindId',
    'day',
    'at',
    'minutes',
    'seats',
    'priceAgorot',
    'trainerId',
    'placeId',
    'groupId',
    'title',
    'notes',
    'repeat.every',
    'repeat.untilDay',
  ]
  return (
    <FormDialog
      title={t(of ? 'timetable.edit' : 'timetable.new')}
      verb={t('kit.forms.save')}
      names={names}
      onClose={onClose}
      onSubmit={async () => {
        try {
          if (of) {
            const { changed } = await call(changeClass, {
              id: of.id,
              version: of.version,
              following,
              at,
              minutes: long,
              trainerId,
              placeId,
              ...(seats !== null && !of.isAppointment ? { seats } : {}),
              ...(price !== null ? { priceAgorot: price } : {}),
              title,
              notes,
              anyway,
            })
            if (changed > 1) banner.success(t('timetable.changed', { count: changed }))
          } else {
            const { made, collide } = await call(createClass, {
              kindId: await kindToUse(),
              day: day ?? '',
              at,
              ...(minutes ? { minutes } : {}),
              ...(seats ? { seats } : {}),
              ...(price !== null ? { priceAgorot: price } : {}),
              trainerId,
              placeId,
              groupId: group?.key ?? null,
              title,
              notes,
              ...(repeats === 'none'
                ? {}
                : {
                    repeat: {
                      unit: repeats,
                      every: every ?? 1,
                      days: repeats === 'week' ? days : [],
                      untilDay: until,
                      times: null,
                    },
                  }),
              anyway,
            })
            if (made > 1) banner.success(t('timetable.made', { count: made, collide }))
          }
        } catch (e) {
          // Collisions of days further on are known only now; the person who presses again has seen them.
          if (e instanceof CallFailure && e.code === 'classes.conflict') setAnyway(true)
          throw e
        }
        await refreshClasses()
        onClose()
      }}
    >
      {(error) => (
        <>
          {isFirst ? (
            <TextField
              label={t('timetable.fields.kind')}
              hint={t('timetable.firstKind')}
              name="kind"
              value={kind?.label ?? ''}
              onChange={(label) => setKind({ key: NEW, label })}
              max={80}
              {...error('name', kind?.label)}
            />
          ) : (
            !of && (
              <RefField
                label={t('timetable.fields.kind')}
                value={kind}
                onChange={setKind}
                search={searchIn(classKinds)}
                onCreate={mayMake ? (label) => setKind({ key: NEW, label: label.trim() }) : undefined}
                {...error(isNew ? 'name' : 'kindId', kind?.key)}
              />
            )
          )}
          {isNew && (
            <div className="tt-two">
              <FlagField
                label={t('classKinds.fields.isAppointment')}
                value={isAppointment}
                onChange={setAppointment}
              />
              <FlagField label={t('classKinds.fields.isPublic')} value={isPublic} onChange={setPublic} />
            </div>
          )}
          <div className="tt-two">
            {!of && (
              <DayField
                label={t('timetable.fields.day')}
                value={day}
                onChange={setDay}
                {...error('day', day)}
              />
            )}
            <TimeField label={t('timetable.fields.at')} value={at} onChange={setAt} {...error('at', at)} />
            <WholeField
              label={t('timetable.fields.minutes')}
              value={minutes ?? facts?.minutes ?? null}
              onChange={setMinutes}
              {...error('minutes', minutes)}
            />
          </div>
          <div className="tt-two">
            <RefField
              label={t('timetable.fields.trainer')}
              optional
              clearable
              value={trainer}
              onChange={setTrainer}
              search={searchIn(classTrainers)}
              {...error('trainerId', trainerId)}
            />
            <RefField
              label={t('timetable.fields.place')}
              optional
              clearable
              value={place}
              onChange={setPlace}
              search={searchIn(classPlaces)}
              {...error('placeId', placeId)}
            />
          </div>
          {hits.length > 0 && (
            <Note tone="wait">
              {hits
                .map((hit) =>
                  t(`timetable.hit.${hit.what}`, { name: hit.name, from: time(hit.from), to: time(hit.to) }),
                )
                .join(' ')}{' '}
              {checked.data!.otherPlaces.length > 0 &&
                t('timetable.freePlaces', {
                  names: checked
                    .data!.otherPlaces.slice(0, 3)
                    .map(({ name }) => name)
                    .join(', '),
                })}
              <FlagField label={t('timetable.anyway')} value={anyway} onChange={setAnyway} />
            </Note>
          )}
          {hits.length === 0 && anyway && (
            <FlagField label={t('timetable.anyway')} value={anyway} onChange={setAnyway} />
          )}
          <div className="tt-two">
            {!(isNew ? isAppointment : facts?.isAppointment) && (
              <WholeField
                label={t('timetable.fields.seats')}
                value={seats ?? facts?.seats ?? null}
                onChange={setSeats}
                {...error('seats', seats)}
              />
            )}
            <MoneyField
              label={t('timetable.fields.price')}
              optional
              value={price ?? facts?.priceAgorot ?? null}
              onChange={setPrice}
              {...error('priceAgorot', price)}
            />
          </div>
          <TextField
            label={t('timetable.fields.title')}
            optional
            value={title}
            onChange={setTitle}
            max={120}
            placeholder={kind?.label ?? ''}
            {...error('title', title)}
          />
          {!of && (
            <>
              <ChoiceField
                label={t('timetable.fields.repeat')}
                value={repeats}
                onChange={(next) => setRepeats(next ?? 'none')}
                choices={(['none', 'week', 'day', 'month'] as const).map((value) => ({
                  value,
                  label: t(`timetable.repeat.${value}`),
                }))}
              />
              {repeats === 'week' && (
                <div className="tt-days" role="group" aria-label={t('timetable.repeat.days')}>
                  {[0, 1, 2, 3, 4, 5, 6].map((n) => {
                    const on = days.includes(n) || (days.length === 0 && day !== null && weekday(day) === n)
                    return (
                      <Chip
                        key={n}
                        on={on}
                        onPress={() =>
                          setDays((old) =>
                            old.includes(n)
                              ? old.filter((one) => one !== n)
                              : [...(old.length ? old : day ? [weekday(day)] : []), n],
                          )
                        }
                      >
                        {weekdayName(lang, addDays('2030-01-06', n))}
                      </Chip>
                    )
                  })}
                </div>
              )}
              {repeats !== 'none' && (
                <div className="tt-two">
                  <WholeField
                    label={t('timetable.repeat.every')}
                    value={every}
                    onChange={setEvery}
                    {...error('repeat.every', every)}
                  />
                  <DayField
                    label={t('timetable.repeat.until')}
                    optional
                    value={until}
                    onChange={setUntil}
                    {...error('repeat.untilDay', until)}
                  />
                </div>
              )}
              <RefField
                label={t('timetable.fields.group')}
                optional
                clearable
                value={group}
                onChange={setGroup}
                search={searchIn(classGroups)}
                {...error('groupId', group?.key)}
              />
            </>
          )}
          <LongText
            label={t('timetable.fields.notes')}
            optional
            value={notes}
            onChange={setNotes}
            max={2000}
            rows={2}
            {...error('notes', notes)}
          />
          {of?.seriesId && (
            <FlagField label={t('timetable.following')} value={following} onChange={setFollowing} />
          )}
        </>
      )}
    </FormDialog>
  )
}
