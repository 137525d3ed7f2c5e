import { dropView, listViews, saveView } from '#features/base/companies/endpoints.ts'

/** The saved views of lists are kept with the business, a set for each person. */
export const viewCalls = { list: listViews, save: saveView, drop: dropView }
