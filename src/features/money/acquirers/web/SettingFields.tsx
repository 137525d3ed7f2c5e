import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import type { TerminalWhole } from '../endpoints.ts'

export type Declared = Omit<TerminalWhole['fields'][number], 'value' | 'isSet'> & {
  value?: string | null
  isSet?: boolean
}

interface Props {
  fields: readonly Declared[]
  values: Readonly<Record<string, string>>
  onChange: (name: string, value: string) => void
  refusal: (name: string, value: unknown) => { error?: string }
}

/**
 * The settings of a terminal, drawn from what its acquirer declares. What is secret is typed and never shown.
 */
export function SettingFields({ fields, values, onChange, refusal }: Props) {
  const t = useWords()
  return fields.map(({ name, kind, optional, choices, isSet }) => {
    const value = values[name] ?? ''
    const label = t(`acquirers.setting.${name}`)
    const props = {
      label,
      name,
      value,
      optional,
      onChange: (next: string) => onChange(name, next),
      ...refusal(`settings.${name}`, value),
    }
    if (kind === 'flag')
      return (
        <FlagField
          key={name}
          label={label}
          value={value === '1'}
          onChange={(on) => onChange(name, on ? '1' : '')}
        />
      )
    if (kind === 'choice')
      return (
        <ChoiceField
          key={name}
          {...props}
          value={value || null}
          onChange={(next) => onChange(name, next ?? '')}
          choices={(choices ?? []).map((one) => ({
            value: one,
            label: t(`acquirers.setting.${name}.${one}`),
          }))}
        />
      )
    return (
      <TextField
        key={name}
        {...props}
        ltr
        max={300}
        {...(kind === 'secret'
          ? {
              type: 'password',
              autoComplete: 'new-password',
              ...(isSet ? { hint: t('acquirers.secretSet') } : {}),
            }
          : { autoComplete: 'off' })}
      />
    )
  })
}
