import type { About } from '#kit/web/routes/askAbout.ts'
import { show } from '#kit/web/parts/shown.ts'
import { MakeDialog } from './Dialogs.tsx'

/** A request about a line, started next to the line. */
export const openMake = (about: About): void => show((close) => <MakeDialog about={about} onClose={close} />)
