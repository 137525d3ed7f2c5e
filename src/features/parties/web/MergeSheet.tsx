import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { Fields } from '../../../kit/fields/field.ts'
import { call, failureText, keyOf } from '../../../kit/web/call.ts'
import { RefField } from '../../../kit/web/fields/RefField.tsx'
import { Note } from '../../../kit/web/parts/Banner.tsx'
import { Button } from '../../../kit/web/parts/Button.tsx'
import { Question, SideSheet } from '../../../kit/web/parts/Dialog.tsx'
import { Money } from '../../../kit/web/parts/Figure.tsx'
import { Num } from '../../../kit/web/parts/Num.tsx'
import { Skeleton } from '../../../kit/web/parts/Skeleton.tsx'
import { go } from '../../../kit/web/place.ts'
import { isEmpty } from '../../../kit/web/screens/checks.ts'
import { FieldCell, isReachable } from '../../../kit/web/screens/columns.tsx'
import { callsOf, cardPath, searchIn, type AnyRow } from '../../../kit/web/screens/resources.ts'
import { useSession } from '../../../kit/web/session.ts'
import { banner } from '../../../kit/web/shell/banner.ts'
import { useWords } from '../../../kit/web/words.tsx'
import { customers } from '../customers.ts'
import { mergeCustomers } from '../endpoints.ts'
import { refreshCustomers } from './deeds.tsx'
import './dress.tsx'
import './parties.css'

const { get } = callsOf(customers)
const fields = customers.fields as Fields
/** Tags of all are kept, so there is nothing to choose. */
const choosable = Object.keys(fields).filter((name) => !fields[name]!.computed && name !== 'tags' && name !== 'own')

const same = (rows: readonly AnyRow[], name: string) => new Set(rows.map((row) => JSON.stringify(row[name] ?? null))).size === 1

/** Several records become one: who stays, and field by field what stays. */
export function MergeSheet({ ids: given, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const t = useWords()
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
  const differing = choosable.filter((name) => isReachable(fields[name]!, session) && rows.length > 1 && !same(rows, name))
  const chosen = (name: string) =>
    from[name] ?? (keep && !isEmpty(keep[name]) ? keepId : (rows.find((row) => !isEmpty(row[name]))?.id ?? keepId))
  const isReady = rows.length === ids.length && rows.length > 1 && keep !== undefined

  const merge = async () => {
    const picked = Object.fromEntries(
      differing.flatMap((name) => {
        const id = chosen(name)
        return id ? [[name, id]] : []
      }),
    )
    try {
      await call(mergeCustomers, { keepId: keepId!, ids: ids.filter((id) => id !== keepId), from: picked })
    } catch (e) {
      banner.error(failureText(t, e))
      throw e
    } finally {
      await refreshCustomers()
    }
    onClose()
    banner.success(t('customers.merge.done', { name: String(keep!.name) }))
    go(cardPath(customers, keepId!)!)
  }

  return (
    <SideSheet
      isOpen
      size="l"
      onClose={onClose}
      title={t('customers.merge.title')}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.forms.cancel')}
          </Button>
          <Button kind="primary" onPress={() => setAsks(true)} {...(isReady ? {} : { blocked: t('customers.merge.needTwo') })}>
            {t('customers.merge.verb')}
          </Button>
        </>
      }
    >
      <div className="pa-stack">
        <p className="sub">{t('customers.merge.text')}</p>
        {rows.length < ids.length && <Skeleton lines={3} />}
        {rows.length > 0 && (
          <div className="pa-merge">
            <table>
              <thead>
                <tr>
                  <th scope="col">{t('customers.merge.stays')}</th>
                  {rows.map((row) => (
                    <th key={row.id} scope="col">
                      <label>
                        <input type="radio" name="keep" checked={row.id === keepId} onChange={() => setKept(row.id)} />
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
                    <th scope="row">{t('customers.fields.balanceAgorot')}</th>
                    {rows.map((row) => (
                      <td key={row.id}>{typeof row.balanceAgorot === 'number' && <Money amount={row.balanceAgorot} />}</td>
                    ))}
                  </tr>
                )}
                {differing.map((name) => (
                  <tr key={name}>
                    <th scope="row">{t(`customers.fields.${name}`)}</th>
                    {rows.map((row) => (
                      <td key={row.id}>
                        <label>
                          <input
                            type="radio"
                            name={`from-${name}`}
                            checked={chosen(name) === row.id}
                            onChange={() => setFrom((old) => ({ ...old, [name]: row.id }))}
                            aria-label={`${t(`customers.fields.${name}`)}: ${String(row.name)}`}
                          />
                          <span>
                            {isEmpty(row[name]) ? (
                              <span className="dim">{t('customers.merge.nothing')}</span>
                            ) : row[name] === false ? (
                              t('kit.flag.no')
                            ) : (
                              <FieldCell resource={customers} name={name} row={row} t={t} />
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
          label={t('customers.merge.more')}
          value={null}
          optional
          onChange={(option) => option && !ids.includes(option.key) && setIds([...ids, option.key])}
          search={async (query, signal) => (await searchIn(customers)(query, signal)).filter(({ key }) => !ids.includes(key))}
        />
        {isReady && <Note tone="info">{t('customers.merge.after', { name: String(keep.name), count: rows.length - 1 })}</Note>}
      </div>
      <Question
        isOpen={asks}
        onClose={() => setAsks(false)}
        title={t('customers.merge.ask', { name: String(keep?.name ?? '') })}
        verb={t('customers.merge.verb')}
        danger
        onConfirm={merge}
      >
        {t('customers.merge.askText')} <Num>{rows.length}</Num>
      </Question>
    </SideSheet>
  )
}
