"""Level 0: arithmetic, units, growth and bounds."""

from dataset_builder.slot import Decimal, Pattern, Pool, Whole, pick
from dataset_builder.template import Template, call

_THING = pick(
    "garden gate", "picture frame", "bookshelf", "window", "table top", "stage panel", "barn door",
    "canvas", "shipping crate", "tent floor", "bed frame", "billboard", "skylight", "notice board",
)  # fmt: skip
_PRICE = pick(
    "the rent for our flat", "our broadband bill", "my season ticket", "the gym membership",
    "our insurance premium", "the daycare fee", "a pallet of those tiles", "our hosting bill",
    "a tonne of brewing malt", "the allotment lease", "the caterer's quote", "our heating bill",
    "the fee for the trade fair stand", "that e-bike", "the oak table", "the cleaning contract",
)  # fmt: skip
_SAVINGS = pick(
    "a savings bond", "a fixed-term deposit", "my daughter's savings account", "the club's reserve",
    "a building society account", "the renovation fund", "a retirement account",
    "the emergency fund", "a credit union certificate", "the choir's travel fund",
)  # fmt: skip
_OFTEN = pick(
    ("4 times a year", 4), ("12 times a year", 12), ("2 times a year", 2), ("365 times a year", 365)
)  # fmt: skip

TEMPLATES = (
    Template(
        "calculate_mixed_terms",
        prompts=(
            "What does {expression} come to?",
            "Could you work out {expression} for me? I keep getting different results on paper.",
            "{expression} = ?",
            "I need the exact result of {expression} for a cost sheet.",
            "Quick check before I sign this off: how much is {expression}?",
        ),
        slots={
            "expression": Pattern(
                "({a} {plus} {b}) {times} {c} {minus} {d}",
                {
                    "a": Whole(112, 987),
                    "b": Decimal(11.1, 96.9, 1),
                    "c": Whole(3, 24),
                    "d": Whole(105, 890),
                    "plus": pick("+", "-"),
                    "times": pick("*", "/"),
                    "minus": pick("+", "-"),
                },
            )
        },
        steps=(call("calculator", expression="{expression}"),),
        rich="Evaluate the arithmetic expression {expression} by the usual order of operations, "
        "brackets first, and give its numerical value.",
    ),
    Template(
        "calculate_diagonal",
        prompts=(
            "The diagonal of a {thing} is {expression} centimetres. How much is that?",
            "I'm cutting a brace for a {thing}. By Pythagoras it has to be {expression} cm long; "
            "please evaluate that.",
            "Evaluate {expression} for me. It's the diagonal of a {thing}.",
            "According to my notes the {thing} measures {expression} cm from corner to corner. "
            "What number is that?",
        ),
        slots={
            "expression": Pattern(
                "sqrt({a}^2 + {b}^2)",
                {"a": Decimal(21.5, 189.5, 1), "b": Decimal(12.5, 149.5, 1)},
            ),
            "thing": _THING,
        },
        steps=(call("calculator", expression="{expression}"),),
        rich="Evaluate the expression {expression}, the length in centimetres of the diagonal of a "
        "{thing}: it takes the square root of a sum of two squares.",
    ),
    Template(
        "change_of_a_price",
        prompts=(
            "{price} went from {old} to {new} euros. What's the change in percent?",
            "Last year {price} cost {old} euros, now it's {new}. By how many percent has it changed?",
            "Percentage change from {old} to {new}?",
            "For the budget meeting I need one figure: {price} was {old} euros before and comes to "
            "{new} euros now. What is the percentage change?",
        ),
        slots={"price": _PRICE, "old": Whole(310, 690), "new": Whole(295, 760)},
        steps=(call("percentage_change", old_value="{old}", new_value="{new}"),),
        rich="Before, {price} came to {old} euros, afterwards to {new} euros. Determine by how many percent "
        "it rose or fell relative to the old value; a fall counts as negative.",
    ),
    Template(
        "savings_with_yearly_interest",
        prompts=(
            "If I leave {principal} euros in {account} for {years} years at {rate} percent compound "
            "interest, credited once a year, how much will be there at the end?",
            "{principal} dollars, {rate}% a year, compounded annually, {years} years. Final amount?",
            "We're putting {principal} pounds into {account}. It earns {rate}% annually and the "
            "interest is compounded every year. What will it have grown to after {years} years?",
            "Could you tell me how much interest {principal} francs earn in {years} years at {rate}% "
            "compounded yearly?",
        ),
        slots={
            "principal": Whole(1500, 64000, 250),
            "rate": Decimal(1.15, 6.95),
            "years": Whole(3, 28),
            "account": _SAVINGS,
        },
        steps=(
            call(
                "compound_interest", principal="{principal}", annual_rate="{rate}", years="{years}"
            ),
        ),
        rich="A starting amount of {principal} earns {rate} percent of interest a year for "
        "{years} years, and the interest is added to it once a year. Find the final amount and the "
        "interest earned under compound interest.",
    ),
    Template(
        "savings_compounded_often",
        prompts=(
            "How much will {principal} euros in {account} be worth after {years} years at {rate} "
            "percent a year, compounded {often}?",
            "Compound interest check: {principal} dollars at {rate}% per year, compounded {often}, for "
            "{years} years. What do I end up with?",
            "The bank offers {rate}% a year on {account}, compounded {often}. We'd start with "
            "{principal} pounds. Where would we be in {years} years?",
            "{years} years, {rate}% a year compounded {often}, starting from {principal} kroner: how "
            "much of the final sum is interest?",
        ),
        slots={
            "principal": Whole(2000, 90000, 500),
            "rate": Decimal(1.15, 7.45),
            "years": Whole(3, 26),
            "often": _OFTEN,
            "account": _SAVINGS,
        },
        steps=(
            call(
                "compound_interest",
                principal="{principal}",
                annual_rate="{rate}",
                years="{years}",
                compounds_per_year="{often}",
            ),
        ),
        rich="A starting amount of {principal} grows for {years} years at a yearly interest rate "
        "of {rate} percent. Interest is compounded {often}. Find the final amount and the interest "
        "earned.",
    ),
    Template(
        "convert_metric_and_imperial",
        prompts=(
            "Convert {value} {pair.from} to {pair.to}.",
            "How much is {value} {pair.from} in {pair.to}? I need it for {pair.purpose}.",
            "My source gives {value} {pair.from}, but {pair.purpose} needs {pair.to}. Could you "
            "convert it?",
            "{value} {pair.from} in {pair.to}, please.",
        ),
        slots={"value": Decimal(2.1, 480.9, 1), "pair": Pool("unit_pairs")},
        steps=(call("unit_convert", value="{value}", from_="{pair.from}", to="{pair.to}"),),
        rich="Take the quantity {value}, measured in {pair.from}, and express it in the unit "
        "{pair.to}; give the converted number.",
    ),
    Template(
        "convert_temperature",
        prompts=(
            "What's {value} degrees {from} in {to}?",
            "The furnace manual says {value} degrees {from}, but the display shows {to}. What do I set it "
            "to?",
            "Convert {value} degrees {from} to {to} for the lab sheet.",
            "The kiln manual wants {value} degrees {from}. Could you convert that to {to} for me?",
        ),
        slots={
            "value": Decimal(91.5, 588.5, 1),
            "from": pick(("Fahrenheit", "fahrenheit")),
            "to": pick(
                ("Celsius", "celsius"), ("kelvin", "kelvin"), ("degrees Celsius", "celsius")
            ),
        },
        steps=(call("unit_convert", value="{value}", from_="{from}", to="{to}"),),
        rich="Convert the temperature {value}, given in degrees {from}, to {to} and give the converted "
        "number.",
    ),
    Template(
        "clamp_setting",
        prompts=(
            "Clamp {value} to the range from {low} to {high}.",
            "The controller asked for a {device} of {value}, but only values between {low} and {high} "
            "are allowed. What does it become once it's limited to that range?",
            "Our {device} must never drop below {low} or exceed {high}. If the sensor requests "
            "{value}, which value do we end up with after limiting it?",
            "Limit {value} to at least {low} and at most {high}. It's the {device} from last night's "
            "log.",
        ),
        slots={
            "value": Decimal(0.5, 139.5, 1),
            "low": Whole(8, 38),
            "high": Whole(62, 118),
            "device": pick(
                "motor speed", "dimmer level", "fan setting", "pump pressure", "screen brightness"
            ),
        },
        steps=(call("clamp_value", value="{value}", minimum="{low}", maximum="{high}"),),
        rich="The number {value} has to stay within bounds: the lowest number allowed is {low} and the "
        "highest {high}. Where it lies outside, the nearer bound takes its place.",
    ),
)
