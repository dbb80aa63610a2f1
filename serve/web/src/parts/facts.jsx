// Facts are figures with their names, those that are known.
export function Facts({ facts }) {
  return <dl class="facts">{facts.filter(([, v]) => v !== undefined).map(([name, v]) => <div key={name}><dt>{name}</dt><dd>{v}</dd></div>)}</dl>;
}
