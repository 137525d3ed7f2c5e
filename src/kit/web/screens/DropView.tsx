import { Button } from '../parts/Button.tsx'
import { toast } from '../parts/notices.ts'
import { useWords } from '../words/words.tsx'
import type { SavedView, SavedViews } from './views.ts'

interface DropViewProps {
  view: SavedView
  saved: SavedViews
  /** Shows everything again, before the view is gone. */
  showAll: () => void
}

/** Removes the saved view that is shown; the notice offers to undo it. */
export function DropView({ view, saved, showAll }: DropViewProps) {
  const t = useWords()
  const drop = async () => {
    showAll()
    await saved.drop(view.id)
    toast(
      t('kit.lists.viewRemoved', { name: view.name }),
      () => void saved.save(view.name, view.query, view.isShared),
    )
  }
  return (
    <Button kind="quiet" size="s" onPress={() => void drop()}>
      {t('kit.lists.removeView')}
    </Button>
  )
}
