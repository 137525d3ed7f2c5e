import { Landmark, Link2, PartyPopper, Wand } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { call, failureText } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable, type TableHand } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { SelectionBar } from '#kit/web/parts/SelectionBar.tsx'
import { useChiefKey } from '#kit/web/parts/useKeys.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useKeysHelp } from '#kit/web/shell/registry.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { matchBank, type OpenBankLine, type OpenPostingRow } from '../endpoints.ts'
import type { Desk } from './desk.ts'
import type { Suggested } from './BookDialog.tsx'
import { refreshMatching } from './refresh.ts'
import { lineColumns, lineText, postingColumns, postingText } from './sides.tsx'
import { nextOf } from './useNext.ts'

/** Ticks on both sides until they come to the same. */
export function ByHand({
  desk,
  mayChange,
  onBook,
  onRule,
}: {
  desk: Desk
  mayChange: boolean
  onBook: (line: Suggested) => void
  onRule: (line: OpenBankLine) => void
}) {
  const t = useWords()
  const { dir } = useLanguage()
  const [lines, setLines] = useState<ReadonlySet<string>>(new Set())
  const [postings, setPostings] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const lineHand = useRef<TableHand>(null)
  const postingHand = useRef<TableHand>(null)
  const ticked = desk.lines.filter((line) => lines.has(line.id))
  const against = desk.postings.filter((posting) => postings.has(posting.key))
  const linesAgorot = ticked.reduce((sum, line) => sum + line.amountAgorot, 0)
  const postingsAgorot = against.reduce((sum, posting) => sum + posting.amountAgorot, 0)
  const difference = linesAgorot - postingsAgorot
  const count = ticked.length + against.length
  const blocked = count < 2 ? t('matching.tickMore') : difference === 0 ? undefined : t('matching.notZero')
  const clear = () => {
    setLines(new Set())
    setPostings(new Set())
  }
  const match = async () => {
    if (busy) return
    if (blocked) return void banner.info(blocked, 5000)
    setBusy(true)
    const from = document.activeElement
    try {
      const { number } = await call(matchBank, {
        id: desk.account.id,
        lines: ticked.map((one) => one.id),
        postings: against.map((one) => one.key),
      })
      banner.success(t('matching.matched', { number: String(number) }))
      // The bank's next line, for the person who has not gone elsewhere meanwhile; the row keeps the cursor when
      // those above it go.
      if (document.activeElement === from)
        lineHand.current?.goTo(nextOf(desk.lines, (line) => lines.has(line.id)))
      clear()
    } catch (e) {
      banner.error(failureText(t, e))
    }
    await refreshMatching()
    setBusy(false)
  }
  useChiefKey(mayChange && count > 0 ? () => void match() : undefined)
  useKeysHelp(
    useMemo(
      () => ({
        title: t('matching.views.hand'),
        keys: [
          { keys: ['←', '→'], does: t('matching.keys.sides') },
          { keys: 'Ctrl ↵', does: t('matching.match') },
        ],
      }),
      [t],
    ),
  )
  // To the other side, where the missing amount is, if one line equals it.
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (event.key === 'Escape' && count > 0) {
      event.preventDefault()
      event.stopPropagation()
      return clear()
    }
    if (!(event.target as Element).matches('tr') || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight'))
      return
    const toPostings = (event.key === 'ArrowLeft') === (dir === 'rtl')
    event.preventDefault()
    const at = toPostings
      ? desk.postings.findIndex((one) => !postings.has(one.key) && one.amountAgorot === difference)
      : desk.lines.findIndex((one) => !lines.has(one.id) && one.amountAgorot === -difference)
    ;(toPostings ? postingHand : lineHand).current?.goTo(difference === 0 || at < 0 ? undefined : at)
  }
  const toggle = (set: ReadonlySet<string>, key: string) =>
    new Set(set.has(key) ? [...set].filter((one) => one !== key) : [...set, key])
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys of the two grids in it */}
      <div className="ma-sides" onKeyDownCapture={onKeyDown}>
        <section aria-labelledby="ma-lines">
          <h2 id="ma-lines">{t('matching.bankSide')}</h2>
          <DataTable<OpenBankLine>
            label={t('matching.bankSide')}
            main
            density="dense"
            hand={lineHand}
            rows={desk.lines}
            rowKey={(row) => row.id}
            rowName={lineText}
            columns={lineColumns(t, desk.account.currency)}
            empty={<EmptyState icon={PartyPopper} title={t('matching.allMatched')} />}
            {...(mayChange
              ? {
                  selected: lines,
                  onSelect: setLines,
                  onOpen: (row: OpenBankLine) => setLines(toggle(lines, row.id)),
                  menu: (row: OpenBankLine) => [
                    {
                      key: 'book',
                      label: t('matching.book.verb'),
                      icon: Landmark,
                      onPress: () => onBook({ line: row }),
                    },
                    { key: 'rule', label: t('matching.rule.of'), icon: Wand, onPress: () => onRule(row) },
                  ],
                }
              : {})}
          />
        </section>
        <section aria-labelledby="ma-postings">
          <h2 id="ma-postings">{t('matching.bookSide')}</h2>
          <DataTable<OpenPostingRow>
            label={t('matching.bookSide')}
            density="dense"
            hand={postingHand}
            rows={desk.postings}
            rowKey={(row) => row.key}
            rowName={postingText}
            columns={postingColumns(t, desk.account.currency)}
            empty={<EmptyState icon={PartyPopper} title={t('matching.allMatched')} />}
            {...(mayChange
              ? {
                  selected: postings,
                  onSelect: setPostings,
                  onOpen: (row: OpenPostingRow) => setPostings(toggle(postings, row.key)),
                }
              : {})}
          />
        </section>
      </div>
      <SelectionBar
        count={count}
        sums={[
          {
            label: t('matching.bankSide'),
            value: <Money amount={linesAgorot} currency={desk.account.currency} />,
          },
          {
            label: t('matching.bookSide'),
            value: <Money amount={postingsAgorot} currency={desk.account.currency} />,
          },
          {
            label: t('matching.difference'),
            value: <Money amount={difference} currency={desk.account.currency} />,
          },
        ]}
        onClear={clear}
      >
        {ticked.length === 1 && against.length === 0 && (
          <Button kind="quiet" size="s" icon={Landmark} onPress={() => onBook({ line: ticked[0]! })}>
            {t('matching.book.verb')}
          </Button>
        )}
        <Button
          kind="quiet"
          size="s"
          hi
          icon={Link2}
          keys="Ctrl ↵"
          busy={busy}
          onPress={() => void match()}
          {...(blocked ? { blocked } : {})}
        >
          {t('matching.match')}
        </Button>
      </SelectionBar>
    </>
  )
}
