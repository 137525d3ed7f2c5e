import { useState } from 'react'
import { formatDay } from '#domain/format.ts'
import type { Day } from '#domain/day.ts'
import { Combo } from '#kit/web/fields/Combo.tsx'
import { matches } from '#kit/web/parts/matches.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { dueDayOf } from '../../workOut.ts'
import { termsWord } from '../words.ts'

const offered = [
  'now',
  'net:10',
  'net:30',
  'net:45',
  'net:60',
  'eom:0',
  'eom:15',
  'eom:30',
  'eom:45',
  'eom:60',
  'eom:90',
]
const OWN = 'own'

export interface TermsFieldProps {
  label: string
  /** 'now', 'net:30', 'eom:60'; null when an explicit day is set. */
  value: string | null
  /** 'own' asks for a day. */
  onChange: (terms: string | 'own') => void
  /** With it each choice shows its due day, and an explicit day is offered. */
  from?: Day
  error?: string
  hint?: string
}

/**
 * Terms of payment as people say them, with the day they lead to. A typed number of days is offered both
 * ways.
 */
export function TermsField({ label, value, onChange, from, error, hint }: TermsFieldProps) {
  const t = useWords()
  const [query, setQuery] = useState('')
  const days = /^\D*(\d{1,3})\D*$/.exec(query)?.[1]
  const keys = [
    ...new Set([
      ...(value ? [value] : []),
      ...offered,
      ...(days ? [`eom:${Number(days)}`, `net:${Number(days)}`] : []),
    ]),
  ].sort(byKind)
  const option = (terms: string) => ({
    key: terms,
    label: termsWord(t, terms),
    ...(from ? { end: <bdi className="num">{formatDay(dueDayOf(from, terms))}</bdi> } : {}),
  })
  const shown = keys.filter(
    (terms) =>
      query.trim() === '' ||
      matches(termsWord(t, terms), query) ||
      (days && terms.endsWith(`:${Number(days)}`)),
  )
  return (
    <Combo
      label={label}
      error={error}
      hint={from && value ? <bdi className="num">{formatDay(dueDayOf(from, value))}</bdi> : hint}
      value={
        value ? { key: value, label: termsWord(t, value) } : { key: OWN, label: t('documents.editor.ownDay') }
      }
      options={[
        ...shown.map(option),
        ...(from && (query.trim() === '' || shown.length === 0)
          ? [{ key: OWN, label: t('documents.editor.ownDay') }]
          : []),
      ]}
      onQuery={setQuery}
      onChange={(chosen) => chosen && onChange(chosen.key)}
    />
  )
}

const order = ['now', 'net', 'eom']
function byKind(left: string, right: string): number {
  const [leftKind = '', leftDays = '0'] = left.split(':')
  const [rightKind = '', rightDays = '0'] = right.split(':')
  return order.indexOf(leftKind) - order.indexOf(rightKind) || Number(leftDays) - Number(rightDays)
}
