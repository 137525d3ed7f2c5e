import { useRef, useState, type ReactNode } from 'react'
import type { LucideIcon } from 'lucide-react'
import { matches } from '../parts/matches.ts'
import { Icon } from '../parts/Icon.tsx'
import { useLanguage } from '../words/words.tsx'
import { Combo } from './Combo.tsx'
import { FieldShell, useFieldIds, type FieldProps } from './Field.tsx'

export interface Choice<V extends string = string> {
  value: V
  label: string
  hint?: ReactNode
  icon?: LucideIcon
}

export interface ChoiceFieldProps<V extends string = string> extends FieldProps<V | null> {
  choices: readonly Choice<V>[]
  /** Five or fewer are buttons automatically; a ledger of lines or a narrow place may want the list. */
  as?: 'buttons' | 'list'
  clearable?: boolean
  /** Buttons of equal width across the form. */
  even?: boolean
}

/** One of a few words: visible buttons up to five, a searchable list above. */
export function ChoiceField<V extends string>(props: ChoiceFieldProps<V>) {
  const asList = (props.as ?? (props.choices.length > 5 ? 'list' : 'buttons')) === 'list'
  return asList ? <ChoiceList {...props} /> : <ChoiceButtons {...props} />
}

function ChoiceList<V extends string>({ choices, value, onChange, inputRef, ...props }: ChoiceFieldProps<V>) {
  const [query, setQuery] = useState('')
  const options = choices.map((choice) => ({
    key: choice.value,
    label: choice.label,
    hint: choice.hint,
    icon: choice.icon,
  }))
  return (
    <Combo
      {...props}
      inputRef={inputRef}
      value={options.find((option) => option.key === value) ?? null}
      onChange={(option) => onChange((option?.key as V | undefined) ?? null)}
      options={query.trim() === '' ? options : options.filter((option) => matches(option.label, query))}
      onQuery={setQuery}
    />
  )
}

function ChoiceButtons<V extends string>(props: ChoiceFieldProps<V>) {
  const { choices, value, onChange, disabled, clearable } = props
  const { dir } = useLanguage()
  const ids = useFieldIds(props)
  const group = useRef<HTMLDivElement>(null)
  const stop = Math.max(
    0,
    choices.findIndex((choice) => choice.value === value),
  )
  const onKeyDown = (event: React.KeyboardEvent, i: number) => {
    const forward = dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const back = dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
    const step =
      event.key === forward || event.key === 'ArrowDown'
        ? 1
        : event.key === back || event.key === 'ArrowUp'
          ? -1
          : 0
    if (step === 0) return
    event.preventDefault()
    const next = (i + step + choices.length) % choices.length
    onChange(choices[next]!.value)
    group.current?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <FieldShell {...props} ids={ids} group>
      <div
        ref={group}
        role="radiogroup"
        className="k-choices"
        data-even={props.even ? '' : undefined}
        id={ids.id}
        aria-labelledby={props.hideLabel ? undefined : `${ids.id}-l`}
        aria-label={props.hideLabel ? props.label : undefined}
        aria-describedby={ids.control['aria-describedby']}
        aria-invalid={ids.control['aria-invalid']}
        onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && props.onBlur?.()}
      >
        {choices.map((choice, i) => (
          <button
            key={choice.value}
            type="button"
            role="radio"
            className="k-choice"
            aria-checked={choice.value === value}
            tabIndex={i === stop ? 0 : -1}
            disabled={disabled}
            autoFocus={props.autoFocus && i === stop}
            onClick={() => onChange(clearable && choice.value === value ? null : choice.value)}
            onKeyDown={(event) => onKeyDown(event, i)}
          >
            {choice.icon && <Icon of={choice.icon} />}
            <span>{choice.label}</span>
          </button>
        ))}
      </div>
    </FieldShell>
  )
}
