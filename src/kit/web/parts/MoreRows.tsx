import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useWords } from '../words/words.tsx'
import { Button } from './Button.tsx'
import { useNextRow } from './nextRow.ts'

/** Below rows that come by a cursor: the next ones. Nothing once all are there. */
export function MoreRows({
  of,
}: {
  of: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>
}) {
  const t = useWords()
  const { under, leave } = useNextRow(of.hasNextPage)
  if (!of.hasNextPage) return null
  return (
    <div className="mt-3 flex justify-center" ref={under}>
      <Button
        busy={of.isFetchingNextPage}
        onPress={() => {
          leave()
          void of.fetchNextPage()
        }}
      >
        {t('kit.pager.more')}
      </Button>
    </div>
  )
}
