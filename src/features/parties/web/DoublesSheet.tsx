import { CheckCheck, Combine } from 'lucide-react'
import { failureText, useCall } from '../../../kit/web/call.ts'
import { Button } from '../../../kit/web/parts/Button.tsx'
import { SideSheet } from '../../../kit/web/parts/Dialog.tsx'
import { EmptyState } from '../../../kit/web/parts/EmptyState.tsx'
import { Note } from '../../../kit/web/parts/Banner.tsx'
import { Skeleton } from '../../../kit/web/parts/Skeleton.tsx'
import { useWords } from '../../../kit/web/words.tsx'
import { findDoubles } from '../endpoints.ts'
import { openMerge } from './deeds.tsx'
import './parties.css'

/** Customers who are likely the same, the surest sign first. */
export function DoublesSheet({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const { data, error } = useCall(findDoubles, {})
  return (
    <SideSheet isOpen onClose={onClose} title={t('customers.doubles.title')}>
      {error ? (
        <Note tone="late">{failureText(t, error)}</Note>
      ) : !data ? (
        <Skeleton lines={5} />
      ) : data.groups.length === 0 ? (
        <EmptyState icon={CheckCheck} title={t('customers.doubles.none')}>
          {t('customers.doubles.noneText')}
        </EmptyState>
      ) : (
        <ul className="pa-order">
          {data.groups.map(({ by, ids, names }) => (
            <li key={ids.join()}>
              <span className="what">
                <b>
                  {names.map((name, i) => (
                    <span key={ids[i]}>
                      {i > 0 && ' · '}
                      <bdi>{name}</bdi>
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
                  openMerge(ids.slice(0, 8))
                }}
              >
                {t('customers.merge.do')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </SideSheet>
  )
}
