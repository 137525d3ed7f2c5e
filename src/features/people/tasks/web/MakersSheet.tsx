import { useState } from 'react'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { WholeField } from '#kit/web/fields/NumberFields.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { SideSheet } from '#kit/web/parts/Dialog.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { searchIn } from '#kit/web/screens/resources.ts'
import { useRecord } from '#kit/web/screens/useRecord.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { agents } from '#features/registers/parties/classifications.ts'
import { listMakers, setMaker, type TaskMaker } from '../endpoints.ts'
import './tasks.css'

/** The tasks the product adds to the list automatically, and removes when they are no longer needed. */
export function MakersSheet({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const { data, error } = useCall(listMakers, {})
  return (
    <SideSheet isOpen onClose={onClose} title={t('tasks.makers.title')}>
      <p className="hint">{t('tasks.makers.text')}</p>
      {error && !data && <Note tone="late">{failureText(t, error)}</Note>}
      {!data && !error && <Skeleton lines={6} />}
      {data?.rows.map((one) => (
        <Maker key={one.kind} of={one} />
      ))}
    </SideSheet>
  )
}

function Maker({ of }: { of: TaskMaker }) {
  const t = useWords()
  const [days, setDays] = useState<number | null>(of.days)
  const { data: owner } = useRecord(agents, of.ownerId ?? undefined)
  const save = (change: Partial<TaskMaker>) =>
    void call(setMaker, { ...of, ...change })
      .then(() => queryClient.invalidateQueries({ queryKey: keyOf(listMakers) }))
      .catch((e: unknown) => banner.error(failureText(t, e)))
  return (
    <fieldset className="tk-maker">
      <legend className="vh">{t(`tasks.makers.${of.kind}`)}</legend>
      <FlagField
        as="switch"
        label={t(`tasks.makers.${of.kind}`)}
        value={of.isOn}
        onChange={(isOn) => save({ isOn })}
      />
      {of.isOn && (
        <div className="grid grid-cols-2 gap-2">
          <WholeField
            label={t(`tasks.makers.days.${of.kind}`)}
            value={days}
            onChange={setDays}
            onBlur={() => days !== null && days !== of.days && save({ days })}
          />
          <RefField
            label={t('tasks.makers.owner')}
            clearable
            placeholder={t('tasks.makers.whoMade')}
            value={of.ownerId ? { key: of.ownerId, label: String(owner?.name ?? '…') } : null}
            onChange={(option) => save({ ownerId: option?.key ?? null })}
            search={searchIn(agents)}
          />
        </div>
      )}
    </fieldset>
  )
}
