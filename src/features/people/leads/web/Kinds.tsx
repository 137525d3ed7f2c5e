import { ListPlus, Plus, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { call, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { TagsField } from '#kit/web/fields/TagsField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { SideSheet } from '#kit/web/parts/Dialog.tsx'
import { OrderButtons, swapped } from '#kit/web/parts/OrderButtons.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { refreshResource } from '#kit/web/screens/resources.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { listKinds, setKindFields, type LeadKind } from '../endpoints.ts'
import { leadKinds, type KindField } from '../leads.ts'
import { refreshSetUp } from './shared.ts'
import './dress.tsx'
import './leads.css'

/** Kinds of leads; each has its own fields, which open beside the list. */
export function Screen() {
  const [id, setId] = useState<string>()
  return (
    <>
      <ListScreen resource={leadKinds} onOpen={(row) => setId(row.id)} />
      {id && <FieldsSheet key={id} id={id} onClose={() => setId(undefined)} />}
    </>
  )
}

function FieldsSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const { data } = useCall(listKinds, {})
  const kind = data?.rows.find((one) => one.id === id)
  return kind ? (
    <Form kind={kind} onClose={onClose} />
  ) : (
    <SideSheet isOpen onClose={onClose} title="…">
      <Skeleton lines={5} />
    </SideSheet>
  )
}

type Draft = Omit<KindField, 'id'> & { id?: string; key: string }
let made = 0
const kindsOfField = ['text', 'number', 'day', 'choice', 'flag'] as const

function Form({ kind, onClose }: { kind: LeadKind; onClose: () => void }) {
  const t = useWords()
  const form = useId()
  const [fields, setFields] = useState<Draft[]>(() => kind.fields.map((one) => ({ ...one, key: one.id })))
  const put = (key: string, change: Partial<Draft>) =>
    setFields((old) => old.map((one) => (one.key === key ? { ...one, ...change } : one)))
  const { busy, rest, error, run, place } = useAction(
    fields.flatMap((_, i) => [`fields.${i}.name`, `fields.${i}.choices`]),
    async () => {
      await call(setKindFields, { id: kind.id, fields: fields.map(({ key: _, ...field }) => field) })
      await Promise.all([refreshSetUp(), refreshResource(leadKinds)])
      banner.success(t('kit.forms.saved'))
      onClose()
    },
  )
  return (
    <SideSheet
      isOpen
      onClose={onClose}
      title={<bdi>{kind.name}</bdi>}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.forms.cancel')}
          </Button>
          <Button kind="primary" type="submit" form={form} busy={busy}>
            {t('kit.forms.save')}
          </Button>
        </>
      }
    >
      <form id={form} ref={place} onSubmit={run} noValidate className="grid gap-4">
        {rest && <Note tone="late">{rest}</Note>}
        <p className="hint">{t('leadKinds.fieldsText')}</p>
        {fields.map((field, i) => (
          <fieldset key={field.key} className="ld-field">
            <legend className="vh">{field.name || t('leadKinds.field')}</legend>
            <TextField
              label={t('leadKinds.field')}
              value={field.name}
              onChange={(name) => put(field.key, { name })}
              max={60}
              {...error(`fields.${i}.name`, field.name)}
            />
            <ChoiceField
              label={t('leadKinds.fieldKind')}
              as="list"
              value={field.kind}
              onChange={(next) => next && put(field.key, { kind: next })}
              choices={kindsOfField.map((value) => ({ value, label: t(`leadKinds.kinds.${value}`) }))}
            />
            {field.kind === 'choice' && (
              <TagsField
                label={t('leadKinds.choices')}
                value={field.choices}
                onChange={(choices) => put(field.key, { choices: [...choices] })}
              />
            )}
            <FlagField
              label={t('leadKinds.needed')}
              value={field.needed}
              onChange={(needed) => put(field.key, { needed })}
            />
            <span className="flex justify-end">
              <OrderButtons
                at={i}
                count={fields.length}
                onMove={(to) => setFields((old) => swapped(old, i, to))}
              />
              <Button
                kind="quiet"
                size="s"
                icon={Trash2}
                label={t('leadKinds.dropField', { name: field.name })}
                onPress={() => setFields((old) => old.filter(({ key }) => key !== field.key))}
              />
            </span>
          </fieldset>
        ))}
        <div>
          <Button
            icon={fields.length ? Plus : ListPlus}
            isDisabled={fields.length >= 30}
            onPress={() =>
              setFields((old) => [
                ...old,
                { key: `new${made++}`, name: '', kind: 'text', choices: [], needed: false },
              ])
            }
          >
            {t('leadKinds.addField')}
          </Button>
        </div>
      </form>
    </SideSheet>
  )
}
