import { useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { listSets } from '../endpoints.ts'
import type { StarterName } from '../starters.ts'

/** A set by its number, a ready-made one by its name, or individual rights. */
export type Role = 'own' | `set:${number}` | `starter:${StarterName}`

export const givenRole = (role: Role): { ruleId: number } | { starter: StarterName } =>
  role.startsWith('set:')
    ? { ruleId: Number(role.slice(4)) }
    : role.startsWith('starter:')
      ? { starter: role.slice(8) as StarterName }
      : { ruleId: 0 }

/** Which set of rights somebody gets. */
export function RoleField({
  value,
  onChange,
  disabled,
}: {
  value: Role | null
  onChange: (role: Role) => void
  disabled?: boolean
}) {
  const t = useWords()
  const { data } = useCall(listSets, {})
  return (
    <ChoiceField<Role>
      as="list"
      label={t('team.rights.set')}
      hint={t('team.rights.setHint')}
      value={value}
      disabled={disabled ?? false}
      onChange={(role) => role && onChange(role)}
      choices={[
        ...(data?.rows ?? []).map(({ number, name, people }) => ({
          value: `set:${number}` as Role,
          label: name,
          hint: t('team.people', { count: people }),
        })),
        ...(data?.starters ?? []).map(({ name }) => ({
          value: `starter:${name}` as Role,
          label: t(`team.starters.${name}`),
          hint: t(`team.startersText.${name}`),
        })),
        { value: 'own', label: t('team.own') },
      ]}
    />
  )
}
