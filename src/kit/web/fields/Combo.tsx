/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus --
   focus stays in the field, which has the keys; the options follow it by aria-activedescendant */
import { ChevronsUpDown, Plus, X, type LucideIcon } from 'lucide-react'
import {
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
} from 'react'
import { useWords } from '../words/words.tsx'
import { Button } from '../parts/Button.tsx'
import { Icon } from '../parts/Icon.tsx'
import { FieldShell, InputBox, useFieldIds, type FieldProps } from './Field.tsx'
import { useAnchored } from './useAnchored.ts'

/** One line of a list under a field. */
export interface Option {
  key: string
  label: string
  /** The second line: a number, a mail, a balance in words. */
  hint?: ReactNode
  /** At the inline end: a price, a code. */
  end?: ReactNode
  icon?: LucideIcon
}

export interface ComboProps extends Omit<FieldProps<Option | null>, 'onKeyDown'> {
  /** What fits the typed text now. */
  options: Option[]
  /** The typed text has no answer yet: Enter and Tab wait for it, and then take the first hit. */
  loading?: boolean
  /** Said in the list when the answer could not be had. */
  failed?: string
  onQuery: (text: string) => void
  /** Offers «new "text"» as the last line. */
  onCreate?: (text: string) => void
  /** The words of that line. */
  newLabel?: (text: string) => string
  /** May be emptied with × and by deleting the text. */
  clearable?: boolean
  onKeyDown?: (event: React.KeyboardEvent<HTMLInputElement>) => void
}

const NEW = '\u0000new'

/**
 * A field with a list under it, by the pattern of the combobox: focus stays in the field, the first hit is
 * chosen from the start, so that two letters and Enter are enough. Tab and Ctrl+Enter take the chosen hit
 * after typing; Escape closes and gives the old value back. A text that hits nothing is said under the field
 * when it is left, and never taken for an answer.
 */
export function Combo({ inputRef, ...props }: ComboProps) {
  const { value, onChange, options, loading, failed, onQuery, onCreate, newLabel, clearable } = props
  const t = useWords()
  const box = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const pop = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState<string>()
  const [active, setActive] = useState(0)
  // An emptied field wants nothing until somebody goes into the list.
  const [moved, setMoved] = useState(false)
  // What was typed and left without a hit.
  const [lost, setLost] = useState('')
  const input = useRef<HTMLInputElement>(null)
  useImperativeHandle(inputRef, () => input.current!, [])
  // Enter or Tab was pressed before the answer came; the cursor may be elsewhere when it does.
  const waits = useRef(false)
  const [left, setLeft] = useState(false)
  const typed = (text ?? '').trim()
  // Offered only once it is known what is there already, or a twin would be made.
  const makesNew =
    onCreate !== undefined && typed !== '' && !loading && !options.some((option) => option.label === typed)
  const lines: Option[] = makesNew
    ? [
        ...options,
        { key: NEW, label: newLabel?.(typed) ?? t('kit.combo.create', { text: typed }), icon: Plus },
      ]
    : options
  const at = text?.trim() === '' && !moved ? -1 : Math.min(active, lines.length - 1)
  const error = props.error ?? (lost ? (failed ?? t('kit.combo.none', { text: lost })) : undefined)
  const ids = useFieldIds({ ...props, error })
  const listId = `${ids.id}-list`

  const open = (query = '') => {
    if (props.disabled || props.readOnly) return
    onQuery(query)
    setActive(0)
    setMoved(false)
    setOpen(true)
  }
  const close = () => {
    setOpen(false)
    setText(undefined)
    setLeft(false)
    waits.current = false
  }
  const pick = (option: Option | undefined) => {
    if (!option) return
    close()
    if (option.key === NEW) onCreate?.(typed)
    else onChange(option)
  }

  useAnchored(pop, box, isOpen)
  const takeFirst = useEffectEvent(() => {
    if (document.activeElement === input.current) return pick(lines[0])
    // A new record is not begun behind the back of somebody who works in another field.
    if (options.length === 0) setLost(typed)
    close()
    if (options[0]) onChange(options[0])
  })
  useEffect(() => {
    if (!waits.current || loading) return
    waits.current = false
    takeFirst()
  }, [loading])
  useLayoutEffect(() => {
    if (isOpen) list.current?.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [at, isOpen, options])

  const onKeyDown = (event: React.KeyboardEvent<HTMLInputElement>) => {
    const move = (to: number) => {
      event.preventDefault()
      if (!isOpen) return open(typed)
      setMoved(true)
      setActive(lines.length === 0 ? 0 : (to + lines.length) % lines.length)
    }
    if (event.nativeEvent.isComposing) return
    const goesOn = event.key === 'Tab' || (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
    if (event.key === 'ArrowDown') move(at + 1)
    else if (event.key === 'ArrowUp') move(Math.max(at, 0) - 1)
    else if (event.key === 'Enter' && isOpen && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      if (loading && typed !== '') waits.current = true
      else if (at < 0 && lines.length > 0) {
        close()
        props.onKeyDown?.(event)
      } else pick(lines[at])
    } else if (goesOn && isOpen && typed !== '' && !loading && lines[at] && lines[at].key !== NEW)
      pick(lines[at])
    else if (event.key === 'Tab' && isOpen && typed !== '' && loading) waits.current = true
    else if (goesOn && event.key === 'Enter' && isOpen && typed !== '') {
      // Nothing is done with an answer that is not one.
      event.preventDefault()
      event.stopPropagation()
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      event.stopPropagation()
      close()
    } else props.onKeyDown?.(event)
  }

  return (
    <FieldShell {...props} error={error} ids={ids}>
      <InputBox error={error} bare={props.bare} boxRef={box}>
        {value?.icon && text === undefined && <Icon of={value.icon} />}
        <input
          {...ids.control}
          ref={input}
          type="text"
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          aria-autocomplete="list"
          aria-busy={left || undefined}
          aria-activedescendant={isOpen && lines[at] ? `${listId}-${at}` : undefined}
          dir="auto"
          className="free"
          autoComplete="off"
          spellCheck={false}
          name={props.name}
          value={text ?? value?.label ?? ''}
          autoFocus={props.autoFocus}
          disabled={props.disabled}
          readOnly={props.readOnly}
          placeholder={props.placeholder}
          onChange={(event) => {
            setText(event.target.value)
            setLost('')
            waits.current = false
            if (event.target.value === '' && clearable) onChange(null)
            open(event.target.value)
          }}
          onClick={() => !isOpen && open(typed)}
          onFocus={(event) => {
            if (value) event.target.select()
            setLost('')
            props.onFocus?.()
          }}
          onBlur={() => {
            if (isOpen && typed !== '' && !loading && lines.length === 0) setLost(typed)
            if (waits.current) {
              setOpen(false)
              setLeft(true)
            } else close()
            props.onBlur?.()
          }}
          onKeyDown={onKeyDown}
        />
        {clearable && value && text === undefined && !props.disabled ? (
          <Button
            kind="quiet"
            size="s"
            icon={X}
            label={t('kit.actions.clear')}
            untabbed
            onPress={() => {
              onChange(null)
              // The button is gone by then; the person who pressed it goes on in the field.
              input.current?.focus()
            }}
          />
        ) : (
          !props.bare && <Icon of={ChevronsUpDown} size="s" />
        )}
      </InputBox>
      <div ref={pop} popover="manual" className="k-pop k-combo-pop">
        {isOpen && (
          <>
            <div ref={list} id={listId} role="listbox" aria-label={props.label}>
              {lines.map((option, i) => (
                <div
                  key={option.key}
                  id={`${listId}-${i}`}
                  role="option"
                  aria-selected={option.key === value?.key}
                  className="k-opt"
                  data-active={i === at ? '' : undefined}
                  data-new={option.key === NEW ? '' : undefined}
                  onPointerDown={(event) => event.preventDefault()}
                  onPointerMove={() => i !== at && setActive(i)}
                  onClick={() => pick(option)}
                >
                  {option.icon && <Icon of={option.icon} />}
                  <span className="grow">
                    <span className="cut" dir="auto">
                      {option.label}
                    </span>
                    {option.hint && <span className="s">{option.hint}</span>}
                  </span>
                  {option.end && <span className="end">{option.end}</span>}
                </div>
              ))}
            </div>
            {failed ? (
              <p className="k-combo-state" role="alert">
                {failed}
              </p>
            ) : (
              lines.length === 0 && (
                <p className="k-combo-state" role="status">
                  {loading
                    ? t('kit.combo.searching')
                    : typed === ''
                      ? t('kit.combo.start')
                      : t('kit.combo.none', { text: typed })}
                </p>
              )
            )}
          </>
        )}
      </div>
    </FieldShell>
  )
}
