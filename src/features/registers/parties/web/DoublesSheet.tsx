import { CheckCheck, Combine } from 'lucide-react'
import { failureText, useCall } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { SideSheet } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import type { findDoubles } from '../endpoints.ts'
import type { MergeKind } from './mergeKind.ts'
import { openMergeOf } from './openMerge.tsx'
import './parties.css'
import '#kit/web/screens/ordered.css'

/** Records that are likely the same, the surest sign first. */
export function DoublesSheet({ kind, onClose }: { kind: MergeKind; onClose: () => void }) {
  const t = useWords()
  const { name } = kind.resource
  const { data, error } = useCall(kind.doubles as typeof findDoubles, {})
  return (
    <SideSheet isOpen onClose={onClose} title={t(`${name}.doubles.title`)}>
      {error ? (
        <Note tone="late">{failureText(t, error)}</Note>
      ) : !data ? (
        <Skeleton lines={5} />
      ) : data.groups.length === 0 ? (
        <EmptyState icon={CheckCheck} title={t(`${name}.doubles.none`)}>
          {t(`${name}.doubles.noneText`)}
        </EmptyState>
      ) : (
        <ul className="k-order">
          {data.groups.map(({ by, ids, names }) => (
            <li key={ids.join()}>
              <span className="what">
                <b>
                  {names.map((one, i) => (
                    <span key={ids[i]}>
                      {i > 0 && ' · '}
                      <bdi>{one}</bdi>
                    </span>
                  ))}
                </b>
                <span className="hint text-13">{t(`customers.sameness.${by}`)}</span>
              </span>
              <Button
                icon={Combine}
                size="s"
                onPress={() => {
                  onClose()
                  openMergeOf(kind, ids.slice(0, 8))
                }}
              >
                {t(`${name}.merge.do`)}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </SideSheet>
  )
}
