import { X } from 'lucide-react'
import { useId, useState } from 'react'
import { Icon } from '../parts/Icon.tsx'
import { useWords } from '../words/words.tsx'
import { FieldShell, InputBox, useFieldIds, type FieldProps } from './Field.tsx'

export interface TagsFieldProps extends Omit<FieldProps<readonly string[]>, 'inputRef'> {
  /** Words in use already, offered while one types. */
  known?: readonly string[]
  /** Longest word in characters. */
  max?: number
}

/** Short words one after another: Enter or a comma ends one, Backspace in the empty field takes the last. */
export function TagsField(props: TagsFieldProps) {
  const { value, onChange, known = [], max = 40 } = props
  const t = useWords()
  const ids = useFieldIds(props)
  const list = useId()
  const [text, setText] = useState('')
  const add = (typed: string) => {
    const words = typed
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '' && !value.includes(one))
    if (words.length > 0) onChange([...value, ...new Set(words)])
    setText('')
  }
  const offered = known.filter((one) => !value.includes(one))
  return (
    <FieldShell {...props} ids={ids}>
      <InputBox error={props.error} bare={props.bare}>
        {value.map((one) => (
          <span key={one} className="k-tag">
            <bdi>{one}</bdi>
            <button
              type="button"
              disabled={props.disabled}
              aria-label={`${t('kit.actions.remove')}: ${one}`}
              onClick={() => onChange(value.filter((other) => other !== one))}
            >
              <Icon of={X} size="s" />
            </button>
          </span>
        ))}
        <input
          {...ids.control}
          type="text"
          dir="auto"
          className="free"
          list={offered.length > 0 ? list : undefined}
          name={props.name}
          value={text}
          maxLength={max}
          autoComplete="off"
          autoFocus={props.autoFocus}
          disabled={props.disabled}
          onChange={(event) => {
            const typed = event.target.value
            // A word chosen from the list comes whole, in one go.
            const isPicked =
              offered.includes(typed) &&
              !(event.nativeEvent as InputEvent).inputType?.startsWith('insertText')
            if (typed.includes(',') || isPicked) add(typed)
            else setText(typed)
          }}
          onBlur={() => {
            add(text)
            props.onBlur?.()
          }}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return
            if (event.key === 'Enter' && text.trim() !== '') {
              event.preventDefault()
              add(text)
            } else if (event.key === 'Backspace' && text === '') onChange(value.slice(0, -1))
          }}
        />
        {offered.length > 0 && (
          <datalist id={list}>
            {offered.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
        )}
      </InputBox>
    </FieldShell>
  )
}
