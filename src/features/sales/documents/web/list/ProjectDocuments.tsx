import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import type { AnyRow } from '#kit/web/screens/resources.ts'
import { documents } from '../../documents.ts'
import '../documents.css'
import './dress.tsx'
import { JoinDialog } from './JoinDialog.tsx'

/** The documents of one project, on its card. */
export const Panel = ({ row }: { row: AnyRow }) => (
  <>
    <ListScreen embedded resource={documents} fixed={{ projectId: row.id }} />
    <JoinDialog />
  </>
)
