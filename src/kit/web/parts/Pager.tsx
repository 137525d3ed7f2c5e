import type { ReactNode } from 'react'
import { ChevronDown } from 'lucide-react'
import { useWords } from '../words/words.tsx'
import { Button } from './Button.tsx'
import { Menu } from './Menu.tsx'
import { Num } from './Num.tsx'
import { useNextRow } from './nextRow.ts'

export const pageSizes = [10, 20, 50, 100, 200] as const
export type PageSize = (typeof pageSizes)[number]

/** The nearest size on offer for what a link or an old setting asks: at least as many, at most 200. */
export const pageSizeOf = (asked: number | string | null | undefined, otherwise: PageSize = 50): PageSize => {
  const wanted = Number(asked)
  if (!Number.isFinite(wanted) || wanted <= 0) return otherwise
  return pageSizes.find((size) => size >= wanted) ?? 200
}

export interface PagerProps {
  /** How many rows stand above; how many there are in all is not counted. */
  shown: number
  /** Totals of what is shown. */
  sums?: readonly { label: string; value: ReactNode }[]
  hasMore?: boolean
  onMore?: () => void
  busy?: boolean
  size?: PageSize
  onSize?: (size: PageSize) => void
}

/** The line under a list: how much is shown, its totals, and more of it. */
export function Pager({ shown, sums = [], hasMore, onMore, busy, size, onSize }: PagerProps) {
  const t = useWords()
  const { under, leave } = useNextRow(hasMore === true)
  return (
    <div className="k-under k-pager" ref={under}>
      <span role="status">{t('kit.pager.shown', { count: shown })}</span>
      {sums.map((sum) => (
        <span key={sum.label}>
          {sum.label}: <b>{sum.value}</b>
        </span>
      ))}
      <span className="end">
        {size !== undefined && onSize && (
          <Menu
            label={t('kit.pager.size')}
            placement="top end"
            items={pageSizes.map((one) => ({
              key: String(one),
              label: String(one),
              checked: one === size,
              onPress: () => onSize(one),
            }))}
            trigger={
              <Button kind="quiet" size="s" label={`${t('kit.pager.size')}: ${size}`}>
                <Num>{size}</Num>
                <ChevronDown className="k-i" data-size="s" aria-hidden />
              </Button>
            }
          />
        )}
        {hasMore && (
          <Button
            kind="soft"
            size="s"
            busy={busy}
            onPress={() => {
              leave()
              onMore?.()
            }}
          >
            {t('kit.pager.more')}
          </Button>
        )}
      </span>
    </div>
  )
}
