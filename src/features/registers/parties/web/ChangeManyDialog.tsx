import { useState } from 'react'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import type { Option } from '#kit/web/fields/Combo.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { TagsField } from '#kit/web/fields/TagsField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { searchIn, type AnyResource } from '#kit/web/screens/resources.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { changeMany, listTags } from '../endpoints.ts'
import { agents, customerStatuses, customerTypes, portfolios } from '../classifications.ts'
import { refreshCustomers } from './actions.tsx'
import './parties.css'

const sorts = {
  statusId: customerStatuses,
  typeId: customerTypes,
  portfolioId: portfolios,
  agentId: agents,
} as const
type Sort = keyof typeof sorts
const NONE = 'none'

/** One change for all that were chosen; what is left empty stays as each has it. */
export function ChangeManyDialog({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const t = useWords()
  const [set, setSet] = useState<Partial<Record<Sort, Option | null>>>({})
  const [addTags, setAdd] = useState<readonly string[]>([])
  const [dropTags, setDrop] = useState<readonly string[]>([])
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string>()
  const known = useCall(listTags, {}).data?.rows.map(({ tag }) => tag) ?? []
  const isChange = Object.values(set).some(Boolean) || addTags.length > 0 || dropTags.length > 0

  const save = async () => {
    setBusy(true)
    setFailed(undefined)
    try {
      const values = Object.fromEntries(
        Object.entries(set).flatMap(([name, option]) =>
          option ? [[name, option.key === NONE ? null : option.key]] : [],
        ),
      )
      const { changed } = await call(changeMany, {
        ids: [...ids],
        set: values,
        addTags: [...addTags],
        dropTags: [...dropTags],
      })
      onClose()
      banner.success(t('customers.many.done', { count: changed }))
      await refreshCustomers()
    } catch (e) {
      setFailed(failureText(t, e))
      setBusy(false)
    }
  }
  return (
    <Dialog
      isOpen
      form
      onClose={onClose}
      title={t('customers.many.title', { count: ids.length })}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.forms.cancel')}
          </Button>
          <Button
            kind="primary"
            busy={busy}
            onPress={() => void save()}
            {...(isChange ? {} : { blocked: t('customers.many.nothing') })}
          >
            {t('kit.forms.save')}
          </Button>
        </>
      }
    >
      <div className="pa-stack">
        <p className="sub">{t('customers.many.text')}</p>
        {failed && <Note tone="late">{failed}</Note>}
        {(Object.keys(sorts) as Sort[]).map((name) => (
          <RefField
            key={name}
            label={t(`customers.fields.${name}`)}
            value={set[name] ?? null}
            onChange={(option) => setSet((old) => ({ ...old, [name]: option }))}
            search={async (query, signal) => {
              const found = await searchIn(sorts[name] as AnyResource)(query, signal)
              return query === '' ? [...found, { key: NONE, label: t('customers.many.none') }] : found
            }}
            optional
            clearable
          />
        ))}
        <TagsField
          label={t('customers.many.addTags')}
          value={addTags}
          onChange={setAdd}
          known={known}
          optional
        />
        <TagsField
          label={t('customers.many.dropTags')}
          value={dropTags}
          onChange={setDrop}
          known={known}
          optional
        />
      </div>
    </Dialog>
  )
}
