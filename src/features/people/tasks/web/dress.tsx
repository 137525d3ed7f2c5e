import { ListTodo } from 'lucide-react'
import { repeatUnits } from '#domain/tasks/repeat.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { dress, type DressedInputProps } from '#kit/web/screens/dress.ts'
import { useWords, type Words } from '#kit/web/words/words.tsx'
import { tasks, type Priority } from '../tasks.ts'

const usualRepeats = ['day:1', 'workday:1', 'week:1', 'week:2', 'month:1', 'month:2', 'month:3', 'year:1']
const usualReminders = [0, 15, 60, 120, 1440, 2880, 10_080]

/** 'week:2' in words. */
export function repeatText(t: Words, rule: string): string {
  const [unit = '', count] = rule.split(':')
  return repeatUnits.includes(unit as never)
    ? t(`tasks.repeats.${unit}`, { count: Number(count ?? 1) })
    : rule
}

function RepeatInput({ values: _, put: __, value, onChange, ...props }: DressedInputProps) {
  const t = useWords()
  const now = typeof value === 'string' && value ? value : null
  const offered = now && !usualRepeats.includes(now) ? [...usualRepeats, now] : usualRepeats
  return (
    <ChoiceField
      {...props}
      as="list"
      clearable
      value={now}
      onChange={onChange}
      choices={offered.map((rule) => ({ value: rule, label: repeatText(t, rule) }))}
    />
  )
}

/** Minutes before in the largest whole unit. */
function beforeText(t: Words, minutes: number): string {
  if (minutes === 0) return t('tasks.before.now')
  if (minutes % 1440 === 0) return t('tasks.before.days', { count: minutes / 1440 })
  return minutes % 60 === 0
    ? t('tasks.before.hours', { count: minutes / 60 })
    : t('tasks.before.minutes', { count: minutes })
}

function RemindInput({ values: _, put: __, value, onChange, ...props }: DressedInputProps) {
  const t = useWords()
  const now = typeof value === 'number' ? value : null
  const offered = now !== null && !usualReminders.includes(now) ? [...usualReminders, now] : usualReminders
  return (
    <ChoiceField
      {...props}
      as="list"
      clearable
      value={now === null ? null : String(now)}
      onChange={(next) => onChange(next === null ? null : Number(next))}
      choices={offered.map((minutes) => ({ value: String(minutes), label: beforeText(t, minutes) }))}
    />
  )
}

export function PriorityPill({ priority }: { priority: Priority }) {
  const t = useWords()
  return priority === 'normal' ? null : (
    <StatusPill tone={priority === 'high' ? 'wait' : 'plain'}>{t(`tasks.priority.${priority}`)}</StatusPill>
  )
}

dress(tasks, {
  icon: ListTodo,
  inputs: { repeat: RepeatInput, remindMinutes: RemindInput },
  cells: { priority: ({ value }: { value: Priority }) => <PriorityPill priority={value} /> },
})
