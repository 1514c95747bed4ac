/** One promise. `id` is what tests cite, in their names or comments: `[tickets.denied-stands]`. */
export interface Requirement {
  id: `${string}.${string}`;
  sentence: string;
}
