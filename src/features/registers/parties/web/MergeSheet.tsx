import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { Fields } from '#kit/fields/field.ts'
import { call, failureText, keyOf } from '#kit/web/calls/call.ts'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Question, SideSheet } from '#kit/web/parts/Dialog.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { go } from '#kit/web/routes/place.ts'
import { isEmpty } from '#kit/web/screens/checks.ts'
import { FieldCell, isReachable } from '#kit/web/screens/columns.tsx'
import { callsOf, cardPath, searchIn, type AnyRow } from '#kit/web/screens/resources.ts'
import { useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { bankFields, type BankDetails } from '../bank.ts'
import { bankText, ibanOf } from './bankWords.ts'
import type { MergeKind, Whole } from './mergeKind.ts'
import './parties.css'

const same = (rows: readonly AnyRow[], name: string) =>
  new Set(rows.map((row) => JSON.stringify(row[name] ?? null))).size === 1

/** An account is chosen whole: half of one and half of another would be a stranger's. */
const bank: Whole = {
  name: 'bank',
  has: (row) => ibanOf(row as Partial<BankDetails>) !== null,
  mark: (row) => bankFields.map((name) => String(row[name] ?? '')).join('|'),
  cell: (row, t) =>
    row.bankAccount ? (
      <>
        <bdi>{bankText(t, Number(row.bankCode))}</bdi>{' '}
        <Num>{`${String(row.bankBranch)}-${String(row.bankAccount)}`}</Num>
      </>
    ) : (
      <Num>{String(row.iban)}</Num>
    ),
}

/** Several records become one: who stays, and field by field what stays. */
export function MergeSheet({
  kind,
  ids: given,
  onClose,
}: {
  kind: MergeKind
  ids: readonly string[]
  onClose: () => void
}) {
  const t = useWords()
  const { resource } = kind
  const say = (word: string, params?: Record<string, string | number>) =>
    t(`${resource.name}.merge.${word}`, params)
  const { get } = callsOf(resource)
  const fields = resource.fields as Fields
  // Tags of all are kept, so there is nothing to choose.
  const choosable = Object.keys(fields).filter(
    (name) =>
      !fields[name]!.computed &&
      name !== 'tags' &&
      name !== 'own' &&
      !(bankFields as readonly string[]).includes(name),
  )
  const wholes = [bank, ...(kind.wholes ?? [])]
  const session = useSession()
  const [ids, setIds] = useState(given)
  const [kept, setKept] = useState<string>()
  const [from, setFrom] = useState<Record<string, string>>({})
  const [asks, setAsks] = useState(false)
  const answers = useQueries({
    queries: ids.map((id) => ({ queryKey: keyOf(get, { id }), queryFn: () => call(get, { id }) })),
  })
  const rows = answers.flatMap(({ data }) => (data ? [data] : []))
  // Who has most to do with the business stays, until somebody chooses.
  const weight = (row: AnyRow) => Math.abs(Number(row.balanceAgorot ?? 0)) + (row.lastDocumentDay ? 1 : 0)
  const keepId = kept ?? rows.toSorted((a, b) => weight(b) - weight(a))[0]?.id
  const keep = rows.find(({ id }) => id === keepId)
  const differing = choosable.filter(
    (name) => isReachable(fields[name]!, session) && rows.length > 1 && !same(rows, name),
  )
  const chosen = (name: string) =>
    from[name] ??
    (keep && !isEmpty(keep[name]) ? keepId : (rows.find((row) => !isEmpty(row[name]))?.id ?? keepId))
  const differingWholes = wholes.filter(
    ({ has, mark }) => rows.length > 1 && rows.some(has) && new Set(rows.map(mark)).size > 1,
  )
  const chosenWhole = ({ name, has }: Whole) =>
    from[name] ?? (keep && has(keep) ? keepId : (rows.find(has)?.id ?? keepId))
  const isReady = rows.length === ids.length && rows.length > 1 && keep !== undefined

  const merge = async () => {
    const picks = [
      ...differing.map((name) => [name, chosen(name)]),
      ...differingWholes.map((whole) => [whole.name, chosenWhole(whole)]),
    ]
    const picked = Object.fromEntries(picks.filter(([, id]) => id !== undefined))
    try {
      await call(kind.merge, { keepId: keepId!, ids: ids.filter((id) => id !== keepId), from: picked })
    } catch (e) {
      banner.error(failureText(t, e))
      throw e
    } finally {
      await kind.refresh()
    }
    onClose()
    banner.success(say('done', { name: String(keep!.name) }))
    go(cardPath(resource, keepId!)!)
  }

  return (
    <SideSheet
      isOpen
      size="l"
      onClose={onClose}
      title={say('title')}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.forms.cancel')}
          </Button>
          <Button
            kind="primary"
            onPress={() => setAsks(true)}
            {...(isReady ? {} : { blocked: say('needTwo') })}
          >
            {say('verb')}
          </Button>
        </>
      }
    >
      <div className="pa-stack">
        <p className="sub">{say('text')}</p>
        {rows.length < ids.length && <Skeleton lines={3} />}
        {rows.length > 0 && (
          <div className="pa-merge">
            <table>
              <thead>
                <tr>
                  <th scope="col">{say('stays')}</th>
                  {rows.map((row) => (
                    <th key={row.id} scope="col">
                      <label>
                        <input
                          type="radio"
                          name="keep"
                          checked={row.id === keepId}
                          onChange={() => setKept(row.id)}
                        />
                        <span>
                          <bdi>{String(row.name)}</bdi>
                          {row.archivedAt && <span className="hint"> · {t('kit.cards.archived')}</span>}
                        </span>
                      </label>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.some((row) => typeof row.balanceAgorot === 'number') && (
                  <tr>
                    <th scope="row">{t(`${resource.name}.fields.balanceAgorot`)}</th>
                    {rows.map((row) => (
                      <td key={row.id}>
                        {typeof row.balanceAgorot === 'number' && <Money amount={row.balanceAgorot} />}
                      </td>
                    ))}
                  </tr>
                )}
                {differing.map((name) => (
                  <tr key={name}>
                    <th scope="row">{t(`${resource.name}.fields.${name}`)}</th>
                    {rows.map((row) => (
                      <td key={row.id}>
                        <label>
                          <input
                            type="radio"
                            name={`from-${name}`}
                            checked={chosen(name) === row.id}
                            onChange={() => setFrom((old) => ({ ...old, [name]: row.id }))}
                            aria-label={`${t(`${resource.name}.fields.${name}`)}: ${String(row.name)}`}
                          />
                          <span>
                            {isEmpty(row[name]) ? (
                              <span className="dim">{say('nothing')}</span>
                            ) : row[name] === false ? (
                              t('kit.flag.no')
                            ) : (
                              <FieldCell resource={resource} name={name} row={row} t={t} />
                            )}
                          </span>
                        </label>
                      </td>
                    ))}
                  </tr>
                ))}
                {differingWholes.map((whole) => (
                  <tr key={whole.name}>
                    <th scope="row">{say(whole.name)}</th>
                    {rows.map((row) => (
                      <td key={row.id}>
                        <label>
                          <input
                            type="radio"
                            name={`from-${whole.name}`}
                            checked={chosenWhole(whole) === row.id}
                            onChange={() => setFrom((old) => ({ ...old, [whole.name]: row.id }))}
                            aria-label={`${say(whole.name)}: ${String(row.name)}`}
                          />
                          <span>
                            {whole.has(row) ? (
                              whole.cell(row, t)
                            ) : (
                              <span className="dim">{say('nothing')}</span>
                            )}
                          </span>
                        </label>
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        <RefField
          label={say('more')}
          value={null}
          optional
          onChange={(option) => option && !ids.includes(option.key) && setIds([...ids, option.key])}
          search={async (query, signal) =>
            (await searchIn(resource)(query, signal)).filter(({ key }) => !ids.includes(key))
          }
        />
        {isReady && (
          <Note tone="info">{say('after', { name: String(keep.name), count: rows.length - 1 })}</Note>
        )}
      </div>
      <Question
        isOpen={asks}
        onClose={() => setAsks(false)}
        title={say('ask', { name: String(keep?.name ?? '') })}
        verb={say('verb')}
        danger
        onConfirm={merge}
      >
        {say('askText')} <Num>{rows.length}</Num>
      </Question>
    </SideSheet>
  )
}
