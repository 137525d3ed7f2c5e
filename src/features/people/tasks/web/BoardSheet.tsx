import { Plus, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { call, failureText, queryClient } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { WholeField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { SideSheet } from '#kit/web/parts/Dialog.tsx'
import { OrderButtons, swapped } from '#kit/web/parts/OrderButtons.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { changeBoard, createBoard, dropBoard, listBoards, type TaskBoard } from '../endpoints.ts'
import { refreshTasks } from './shared.ts'

interface Column {
  key: string
  id?: string
  name: string
  limit: number | null
  isDone: boolean
}

let made = 0
const fresh = (name = '', isDone = false): Column => ({ key: `new${made++}`, name, limit: null, isDone })

/**
 * A board: its name, its lanes, its columns in their order with their limits, and which of them means done.
 */
export function BoardSheet({
  board,
  onClose,
  onSaved,
}: {
  board?: TaskBoard
  onClose: () => void
  onSaved: (id: string | undefined) => void
}) {
  const t = useWords()
  const form = useId()
  const [name, setName] = useState(board?.name ?? '')
  const [lanes, setLanes] = useState(board?.lanes ?? 'none')
  const [columns, setColumns] = useState<Column[]>(
    () =>
      board?.columns.map((one) => ({ ...one, key: one.id })) ?? [
        fresh(t('tasks.main.todo')),
        fresh(t('tasks.main.doing')),
        fresh(t('tasks.main.done'), true),
      ],
  )
  const names = ['name', ...columns.flatMap((_, i) => [`columns.${i}.name`, `columns.${i}.limit`])]
  const { busy, rest, error, run, place } = useAction(names, async () => {
    const given = {
      name: name.trim(),
      lanes,
      columns: columns.map(({ id, name: called, limit, isDone }) => ({
        ...(id ? { id } : {}),
        name: called.trim(),
        limit,
        isDone,
      })),
    }
    const saved = await (board ? call(changeBoard, { id: board.id, ...given }) : call(createBoard, given))
    await queryClient.invalidateQueries({ queryKey: [listBoards.name] })
    await refreshTasks()
    onSaved(saved.id)
  })
  const put = (i: number, change: Partial<Column>) =>
    setColumns((old) => old.map((one, n) => (n === i ? { ...one, ...change } : one)))
  return (
    <SideSheet
      isOpen
      onClose={onClose}
      title={t(board ? 'tasks.boards.change' : 'tasks.boards.new')}
      actions={
        <>
          {board && !board.isMain && (
            <Button
              kind="quiet"
              icon={Trash2}
              onPress={() =>
                void call(dropBoard, { id: board.id })
                  .then(async () => {
                    await queryClient.invalidateQueries({ queryKey: [listBoards.name] })
                    onSaved(undefined)
                  })
                  .catch((e: unknown) => banner.error(failureText(t, e)))
              }
            >
              {t('tasks.boards.drop')}
            </Button>
          )}
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
        <TextField
          label={t('tasks.boards.name')}
          value={name}
          onChange={setName}
          max={60}
          {...error('name', name)}
        />
        <ChoiceField
          label={t('tasks.boards.lanes')}
          value={lanes}
          onChange={(next) => next && setLanes(next)}
          choices={(['none', 'owner', 'priority'] as const).map((value) => ({
            value,
            label: t(`tasks.boards.lanesBy.${value}`),
          }))}
        />
        <h3>{t('tasks.boards.columns')}</h3>
        {columns.map((column, i) => (
          <fieldset key={column.key} className="tk-column">
            <legend className="vh">{column.name || t('tasks.boards.column')}</legend>
            <TextField
              label={t('tasks.boards.column')}
              value={column.name}
              onChange={(next) => put(i, { name: next })}
              max={40}
              {...error(`columns.${i}.name`, column.name)}
            />
            <WholeField
              label={t('tasks.boards.limit')}
              optional
              value={column.limit}
              onChange={(limit) => put(i, { limit })}
              {...error(`columns.${i}.limit`, column.limit)}
            />
            <FlagField
              label={t('tasks.boards.isDone')}
              value={column.isDone}
              onChange={(isDone) => put(i, { isDone })}
            />
            <span className="tk-column-tools">
              <OrderButtons
                at={i}
                count={columns.length}
                onMove={(to) => setColumns((old) => swapped(old, i, to))}
              />
              <Button
                kind="quiet"
                size="s"
                icon={Trash2}
                label={t('tasks.boards.dropColumn', { name: column.name })}
                isDisabled={columns.length <= 2}
                onPress={() => setColumns((old) => old.filter((_, n) => n !== i))}
              />
            </span>
          </fieldset>
        ))}
        <div>
          <Button
            icon={Plus}
            isDisabled={columns.length >= 12}
            onPress={() => setColumns((old) => [...old, fresh()])}
          >
            {t('tasks.boards.addColumn')}
          </Button>
        </div>
      </form>
    </SideSheet>
  )
}
