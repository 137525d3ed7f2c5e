/* oxlint-disable jsx-a11y/interactive-supports-focus -- one tab stop: its buttons take focus in turn, the set has their arrow keys */
import { Check, Pipette } from 'lucide-react'
import { useRef } from 'react'
import { Icon } from '../parts/Icon.tsx'
import { useLanguage, useWords } from '../words/words.tsx'
import { FieldShell, useFieldIds, type FieldProps } from './Field.tsx'

/** Colours that keep 4.5 to 1 under white words and on white paper. */
export const brandColors = [
  ['green', '#0b5d52'],
  ['blue', '#1f4e79'],
  ['purple', '#6b3f7e'],
  ['red', '#9a3b26'],
  ['brown', '#8a5a0a'],
  ['black', '#2b3834'],
] as const

/** The colour of a business, for its paper and payment pages only: six that work, or one's own. */
export function ColorField(props: FieldProps<string>) {
  const t = useWords()
  const { dir } = useLanguage()
  const ids = useFieldIds(props)
  const set = useRef<HTMLDivElement>(null)
  const value = props.value.toLowerCase()
  const own = value !== '' && !brandColors.some(([, color]) => color === value)
  const at = brandColors.findIndex(([, color]) => color === value)
  return (
    <FieldShell {...props} ids={ids} group>
      <div className="k-colors">
        <div
          ref={set}
          className="k-colors"
          role="radiogroup"
          aria-labelledby={props.hideLabel ? undefined : `${ids.id}-l`}
          aria-label={props.hideLabel ? props.label : undefined}
          aria-describedby={ids.control['aria-describedby']}
          onKeyDown={(event) => {
            const forward = dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
            const back = dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
            const step = event.key === forward ? 1 : event.key === back ? -1 : 0
            if (step === 0) return
            event.preventDefault()
            const next = (Math.max(0, at) + step + brandColors.length) % brandColors.length
            props.onChange(brandColors[next]![1])
            set.current?.querySelectorAll('button')[next]?.focus()
          }}
        >
          {brandColors.map(([name, color], i) => (
            <button
              key={color}
              type="button"
              role="radio"
              className="k-color"
              style={{ '--c': color } as React.CSSProperties}
              aria-label={t(`kit.color.${name}`)}
              aria-checked={color === value}
              tabIndex={color === value || (at < 0 && i === 0) ? 0 : -1}
              disabled={props.disabled}
              onClick={() => props.onChange(color)}
            >
              {color === value && <Icon of={Check} />}
            </button>
          ))}
        </div>
        <label className="k-chip relative" data-on={own ? '' : undefined}>
          {own ? (
            <span className="size-4 rounded-full" style={{ background: value }} aria-hidden />
          ) : (
            <Icon of={Pipette} size="s" />
          )}
          {t('kit.color.own')}
          <input
            type="color"
            id={ids.id}
            name={props.name}
            className="absolute inset-0 h-full w-full cursor-pointer opacity-0"
            aria-label={t('kit.color.own')}
            value={value || '#0b5d52'}
            disabled={props.disabled}
            onChange={(event) => props.onChange(event.target.value)}
            onBlur={props.onBlur}
          />
        </label>
      </div>
    </FieldShell>
  )
}
