import { useState, type ReactNode } from 'react'
import { formatMoney, formatQuantity } from '#domain/format.ts'
import {
  dimensionNamed,
  factNamed,
  limits,
  periodOf,
  type AskedPeriod,
  type DimensionName,
  type Filter as Asked,
  type Question,
} from '#domain/questions/model.ts'
import { parseDecimal4, toText } from '#domain/quantity.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { TwoDays } from '#kit/web/fields/TwoDays.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField, QuantityField } from '#kit/web/fields/NumberFields.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { FilterBar, type Filter } from '#kit/web/parts/FilterBar.tsx'
import { Chip } from '#kit/web/parts/Status.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { resourceNamed, searchIn } from '#kit/web/screens/resources.ts'
import { useSession } from '#kit/web/session/session.ts'
import { useWords, type Words } from '#kit/web/words/words.tsx'
import { keyWords, periodWords, presets, type PresetName } from './shown.ts'

interface FiltersProps {
  question: Question
  /** What the records are called that filters name by their ids. */
  names: Record<string, string>
  onChange: (question: Question) => void
  onName: (id: string, name: string) => void
}

/**
 * What narrows a question down: each condition a chip that can be changed and taken away, the person who put it
 * there.
 */
export function QuestionFilters({ question, names, onChange, onName }: FiltersProps) {
  const t = useWords()
  const today = useToday()
  const hidesSums = useSession()?.HideTotalPrices ?? false
  const known = factNamed(question.fact)
  const put = (is: (one: Asked) => boolean, next: Asked | undefined) =>
    onChange({
      ...question,
      filters: [...question.filters.filter((one) => !is(one)), ...(next ? [next] : [])],
    })
  const filters: Filter[] = []
  const period = question.filters.find((one) => one.kind === 'period')
  const isPeriod = (one: Asked) => one.kind === 'period'
  if (known.dated)
    filters.push({
      key: 'period',
      label: t('questions.period'),
      ...(period ? { value: <PeriodText t={t} asked={period.period} today={today} /> } : {}),
      edit: (close) => (
        <PeriodEdit
          value={period?.period}
          today={today}
          onChange={(next) => {
            put(isPeriod, { kind: 'period', period: next })
            close()
          }}
        />
      ),
      onClear: () => put(isPeriod, undefined),
    })
  for (const not of [false, true])
    for (const name of known.dimensions) {
      const { kind, to } = dimensionNamed(name)
      if (kind === 'time' || (kind === 'record' && !resourceNamed(to))) continue
      const is = (one: Asked) => one.kind === 'is' && one.dimension === name && !!one.not === not
      const set = question.filters.find(is) as Extract<Asked, { kind: 'is' }> | undefined
      // An excluding filter is offered once the other is set, or when it is set.
      if (not && !set) continue
      const word = t(`questions.dimensions.${name}`)
      filters.push({
        key: `${not ? 'not ' : ''}${name}`,
        label: not ? t('questions.not', { name: word }) : word,
        ...(set
          ? {
              value: set.values
                .map((value) => keyWords(t, name, value, names[value] ?? (value === '' ? null : '…')))
                .join(', '),
            }
          : {}),
        edit: () => (
          <ValuesEdit
            dimension={name}
            label={word}
            values={set?.values ?? []}
            names={names}
            not={not}
            onTurn={() =>
              onChange({
                ...question,
                filters: question.filters
                  .filter((one) => !(one.kind === 'is' && one.dimension === name && !!one.not !== not))
                  .map((one) =>
                    is(one)
                      ? { kind: 'is', dimension: name, values: set!.values, ...(not ? {} : { not: true }) }
                      : one,
                  ),
              })
            }
            onName={onName}
            onChange={(values) =>
              put(
                is,
                values.length ? { kind: 'is', dimension: name, values, ...(not ? { not } : {}) } : undefined,
              )
            }
          />
        ),
        onClear: () => put(is, undefined),
      })
    }
  for (const [name, kind] of Object.entries(known.amounts)) {
    if (hidesSums && kind === 'money') continue
    const is = (one: Asked) => one.kind === 'amount' && one.amount === name
    const set = question.filters.find(is) as Extract<Asked, { kind: 'amount' }> | undefined
    filters.push({
      key: `amount ${name}`,
      label: t(`questions.amounts.${name}`),
      ...(set ? { value: <AmountText t={t} kind={kind} from={set.from} to={set.to} /> } : {}),
      edit: (close) => (
        <AmountEdit
          kind={kind}
          from={set?.from}
          to={set?.to}
          onChange={(from, to) => {
            put(
              is,
              from === undefined && to === undefined
                ? undefined
                : {
                    kind: 'amount',
                    amount: name,
                    ...(from === undefined ? {} : { from }),
                    ...(to === undefined ? {} : { to }),
                  },
            )
            close()
          }}
        />
      ),
      onClear: () => put(is, undefined),
    })
  }
  for (const flag of known.flags) {
    const is = (one: Asked) => one.kind === 'flag' && one.flag === flag
    const set = question.filters.find(is) as Extract<Asked, { kind: 'flag' }> | undefined
    filters.push({
      key: `flag ${flag}`,
      label: t(`questions.flags.${flag}`),
      ...(set ? { value: t(set.not ? 'kit.flag.no' : 'kit.flag.yes') } : {}),
      edit: (close) => (
        <div className="flex gap-2">
          {[false, true].map((not) => (
            <Button
              key={String(not)}
              size="s"
              kind={set && !!set.not === not ? 'soft' : 'plain'}
              onPress={() => {
                put(is, { kind: 'flag', flag, ...(not ? { not } : {}) })
                close()
              }}
            >
              {t(not ? 'kit.flag.no' : 'kit.flag.yes')}
            </Button>
          ))}
        </div>
      ),
      onClear: () => put(is, undefined),
    })
  }
  if (known.hasText) {
    const is = (one: Asked) => one.kind === 'text'
    const set = question.filters.find(is) as Extract<Asked, { kind: 'text' }> | undefined
    filters.push({
      key: 'text',
      label: t('questions.text'),
      ...(set ? { value: <bdi>{set.has}</bdi> } : {}),
      edit: (close) => (
        <TextEdit
          value={set?.has ?? ''}
          onChange={(has) => {
            put(is, has.trim() === '' ? undefined : { kind: 'text', has: has.trim() })
            close()
          }}
        />
      ),
      onClear: () => put(is, undefined),
    })
  }
  return (
    <FilterBar
      filters={
        question.filters.length < limits.filters ? filters : filters.filter((one) => one.value !== undefined)
      }
    />
  )
}

function PeriodText({ t, asked, today }: { t: Words; asked: AskedPeriod; today: string }) {
  const { name, days } = periodWords(t, asked, today)
  return name ? (
    <>
      {name} · <Num>{days}</Num>
    </>
  ) : (
    <Num>{days}</Num>
  )
}

function PeriodEdit({
  value,
  today,
  onChange,
}: {
  value: AskedPeriod | undefined
  today: string
  onChange: (period: AskedPeriod) => void
}) {
  const t = useWords()
  const days = value ? periodOf(value, today) : undefined
  return (
    <div className="grid gap-4">
      <div className="d-presets">
        {(Object.keys(presets) as PresetName[]).map((name) => (
          <Button
            key={name}
            size="s"
            kind={JSON.stringify(value) === JSON.stringify(presets[name]) ? 'soft' : 'plain'}
            onPress={() => onChange(presets[name])}
          >
            {t(`questions.periods.${name}`)}
          </Button>
        ))}
      </div>
      <TwoDays start={days} onChange={onChange} />
    </div>
  )
}

interface ValuesProps {
  dimension: DimensionName
  label: string
  values: readonly string[]
  names: Record<string, string>
  /** None of these, instead of one of them. */
  not: boolean
  onTurn: () => void
  onName: (id: string, name: string) => void
  onChange: (values: string[]) => void
}

function ValuesEdit({ dimension, label, values, names, not, onTurn, onName, onChange }: ValuesProps) {
  const t = useWords()
  const { kind, of, words, to } = dimensionNamed(dimension)
  const [typed, setTyped] = useState('')
  const turn = (value: string, on: boolean) =>
    onChange(on ? [...values, value] : values.filter((one) => one !== value))
  const turned = values.length > 0 && (
    <FlagField as="switch" label={t('questions.exceptThese')} value={not} onChange={onTurn} />
  )
  if (of)
    return (
      <div className="grid gap-2 q-values">
        {of.map((one) => (
          <FlagField
            key={one}
            label={t(`${words}.${one}`)}
            value={values.includes(one)}
            onChange={(on) => turn(one, on)}
          />
        ))}
        {turned}
      </div>
    )
  const target = kind === 'record' ? resourceNamed(to) : undefined
  const add: ReactNode = target ? (
    <RefField
      label={label}
      hideLabel
      placeholder={label}
      autoFocus
      value={null}
      search={searchIn(target)}
      onChange={(option) => {
        if (!option || values.includes(option.key)) return
        onName(option.key, option.label)
        turn(option.key, true)
      }}
    />
  ) : (
    <form
      className="flex items-end gap-2"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (typed.trim() && !values.includes(typed.trim())) turn(typed.trim(), true)
        setTyped('')
      }}
    >
      <TextField label={label} value={typed} onChange={setTyped} autoFocus />
      <Button type="submit" isDisabled={typed.trim() === ''}>
        {t('questions.add')}
      </Button>
    </form>
  )
  return (
    <div className="grid gap-3">
      {add}
      {values.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {values.map((value) => {
            const name = keyWords(t, dimension, value, names[value] ?? null)
            return (
              <Chip
                key={value}
                on
                onRemove={() => turn(value, false)}
                removeLabel={t('questions.takeOut', { name })}
              >
                <bdi>{name}</bdi>
              </Chip>
            )
          })}
        </div>
      )}
      <FlagField
        label={t('questions.withNone')}
        value={values.includes('')}
        onChange={(on) => turn('', on)}
      />
      {turned}
    </div>
  )
}

const amountText = (kind: 'money' | 'quantity', value: number) =>
  kind === 'money' ? formatMoney(value) : formatQuantity(value)

function AmountText({
  t,
  kind,
  from,
  to,
}: {
  t: Words
  kind: 'money' | 'quantity'
  from: number | undefined
  to: number | undefined
}) {
  if (from !== undefined && to !== undefined)
    return (
      <>
        <Num>{amountText(kind, from)}</Num> – <Num>{amountText(kind, to)}</Num>
      </>
    )
  return (
    <>
      {t(from === undefined ? 'questions.upTo' : 'questions.fromOn', {
        sum: amountText(kind, (from ?? to)!),
      })}
    </>
  )
}

function AmountEdit({
  kind,
  from,
  to,
  onChange,
}: {
  kind: 'money' | 'quantity'
  from: number | undefined
  to: number | undefined
  onChange: (from: number | undefined, to: number | undefined) => void
}) {
  const t = useWords()
  const [low, setLow] = useState<number | null>(from ?? null)
  const [high, setHigh] = useState<number | null>(to ?? null)
  const field = (label: string, value: number | null, put: (value: number | null) => void, focus: boolean) =>
    kind === 'money' ? (
      <MoneyField label={label} value={value} onChange={put} autoFocus={focus} />
    ) : (
      <QuantityField
        label={label}
        value={value === null ? null : toText(value)}
        onChange={(text) => put(text === null ? null : (parseDecimal4(text) ?? null))}
        autoFocus={focus}
      />
    )
  const isTurned = low !== null && high !== null && low > high
  return (
    <form
      className="grid gap-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isTurned) onChange(low ?? undefined, high ?? undefined)
      }}
    >
      <div className="grid grid-cols-2 gap-3">
        {field(t('questions.low'), low, setLow, true)}
        {field(t('questions.high'), high, setHigh, false)}
      </div>
      <Button kind="primary" size="s" type="submit" isDisabled={isTurned}>
        {t('kit.actions.show')}
      </Button>
    </form>
  )
}

function TextEdit({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const t = useWords()
  const [text, setText] = useState(value)
  return (
    <form
      className="grid gap-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onChange(text)
      }}
    >
      <TextField label={t('questions.text')} value={text} onChange={setText} autoFocus />
      <Button kind="primary" size="s" type="submit">
        {t('kit.actions.show')}
      </Button>
    </form>
  )
}
