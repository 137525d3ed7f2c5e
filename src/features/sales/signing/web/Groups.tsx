import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { call, queryClient, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { EmailField, PhoneField } from '#kit/web/fields/ContactFields.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { OrderButtons, swapped } from '#kit/web/parts/OrderButtons.tsx'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useAskedFor } from '#kit/web/routes/useAskedFor.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { changeGroup, createGroup, listGroups, type GroupAnswer } from '../endpoints.ts'
import { channels, identities, type Person } from '../shapes.ts'
import { signGroups } from '../signing.ts'
import './dress.tsx'
import { Within } from './Within.tsx'
import './signing.css'

/** Who signs together, kept under a name: chosen when a template is sent. */
export function Screen() {
  return (
    <Within screen="signGroups">
      <Groups />
    </Within>
  )
}

function Groups() {
  const may = useCan()
  const { data } = useCall(listGroups, { archived: 'true' })
  const [shown, setShown] = useAskedFor<GroupAnswer | 'new'>(['add'], () =>
    may('signing.templates') ? 'new' : undefined,
  )
  return (
    <>
      <ListScreen
        resource={signGroups}
        archive
        newHref={`${signGroups.screens.list}?add=1`}
        onOpen={(row) => setShown(data?.rows.find(({ id }) => id === row.id))}
      />
      {shown && <GroupDialog of={shown === 'new' ? undefined : shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

const empty: Person = { role: '', name: '', email: '', phone: '', identity: 'link', channel: 'mail' }

function GroupDialog({ of, onClose }: { of: GroupAnswer | undefined; onClose: () => void }) {
  const t = useWords()
  const may = useCan()('signing.templates')
  const [name, setName] = useState(of?.name ?? '')
  const [people, setPeople] = useState<Person[]>(of?.people ?? [empty])
  const [inTurn, setInTurn] = useState(of?.inTurn ?? false)
  const [copies, setCopies] = useState((of?.copies ?? []).map(({ email }) => email).join(', '))
  const change = (at: number, what: Partial<Person>) =>
    setPeople(people.map((one, n) => (n === at ? { ...one, ...what } : one)))
  const save = async () => {
    const given = {
      name,
      people: people.map((one) => ({ ...one, email: one.email || null, phone: one.phone || null })),
      inTurn,
      copies: copies
        .split(/[\s,;]+/)
        .filter(Boolean)
        .map((email) => ({ name: '', email })),
    }
    await (of ? call(changeGroup, { id: of.id, ...given }) : call(createGroup, given))
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: ['signGroups.list'] }),
      queryClient.invalidateQueries({ queryKey: ['signGroups.all'] }),
    ])
    onClose()
    banner.success(t('signGroups.saved'))
  }
  return (
    <FormDialog
      title={of ? <bdi>{of.name}</bdi> : t('signGroups.new')}
      verb={may ? t('signGroups.save') : undefined}
      names={[
        'name',
        'copies',
        ...people.flatMap((_, at) => ['role', 'name', 'email', 'phone'].map((key) => `people.${at}.${key}`)),
      ]}
      onClose={onClose}
      onSubmit={save}
    >
      {(refusal) => (
        <>
          <TextField
            label={t('signGroups.fields.name')}
            value={name}
            onChange={setName}
            {...refusal('name', name)}
          />
          {people.length > 1 && (
            <FlagField
              label={t('signGroups.inTurn')}
              hint={t('signGroups.inTurnHint')}
              value={inTurn}
              onChange={setInTurn}
            />
          )}
          {people.map((person, at) => (
            <fieldset key={at} className="sg-person">
              <legend className={inTurn && people.length > 1 ? 'font-medium' : 'sr-only'}>
                {t('signing.send.person', { number: at + 1 })}
              </legend>
              <div className="sg-two">
                <TextField
                  label={t('signing.send.name')}
                  value={person.name}
                  onChange={(next) => change(at, { name: next })}
                  {...refusal(`people.${at}.name`, person.name)}
                />
                <TextField
                  label={t('signing.send.role')}
                  value={person.role}
                  onChange={(next) => change(at, { role: next })}
                  {...refusal(`people.${at}.role`, person.role)}
                />
                <EmailField
                  label={t('signing.send.email')}
                  value={person.email ?? ''}
                  optional
                  onChange={(next) => change(at, { email: next })}
                  {...refusal(`people.${at}.email`, person.email)}
                />
                <PhoneField
                  label={t('signing.send.phone')}
                  value={person.phone ?? ''}
                  optional
                  onChange={(next) => change(at, { phone: next })}
                  {...refusal(`people.${at}.phone`, person.phone)}
                />
              </div>
              <ChoiceField
                label={t('signing.send.channel')}
                value={person.channel}
                onChange={(next) => change(at, { channel: next ?? 'mail' })}
                choices={channels.map((value) => ({ value, label: t(`signing.channel.${value}`) }))}
              />
              <ChoiceField
                label={t('signing.send.identity')}
                value={person.identity}
                onChange={(next) => change(at, { identity: next ?? 'link' })}
                choices={identities.map((value) => ({ value, label: t(`signing.identity.${value}`) }))}
              />
              {people.length > 1 && (
                <span className="sg-row">
                  <OrderButtons
                    at={at}
                    count={people.length}
                    up={t('signGroups.up', { number: at + 1 })}
                    down={t('signGroups.down', { number: at + 1 })}
                    onMove={(to) => setPeople(swapped(people, at, to))}
                  />
                  <Button
                    kind="quiet"
                    size="s"
                    icon={Trash2}
                    onPress={() => setPeople(people.filter((_, n) => n !== at))}
                  >
                    {t('signing.send.removePerson')}
                  </Button>
                </span>
              )}
            </fieldset>
          ))}
          <Button icon={Plus} onPress={() => setPeople([...people, empty])}>
            {t('signing.send.addPerson')}
          </Button>
          <TextField
            label={t('signing.send.copies')}
            hint={t('signing.send.copiesHint')}
            optional
            value={copies}
            onChange={setCopies}
            {...refusal('copies', copies)}
          />
        </>
      )}
    </FormDialog>
  )
}
